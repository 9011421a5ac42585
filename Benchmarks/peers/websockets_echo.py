# SPDX-License-Identifier: MIT
"""A WebSocket echo server on PyPI's websockets, driven by the benchmark's own client.

Prints its port, then for each line of input the processor seconds used so far; ends with the input.
"""

import asyncio
import sys
import time

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed


async def echo(socket):
    try:
        async for message in socket:
            await socket.send(message)
    except ConnectionClosed:
        pass


async def main():
    # No compression: the benchmark's client offers none, and neither side of the comparison uses it.
    async with serve(echo, "127.0.0.1", 0, compression=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        loop = asyncio.get_running_loop()
        while await loop.run_in_executor(None, sys.stdin.readline):
            print(time.process_time(), flush=True)


asyncio.run(main())
