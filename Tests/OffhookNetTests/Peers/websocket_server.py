# SPDX-License-Identifier: MIT
"""A WebSocket server of another implementation, for the differential tests of the client role.

Prints its port on the first line. The path says what it does:
/echo        sends every message back, of the same kind
/fragments   sends every message back in pieces of 7 characters or bytes, with a ping before each piece
/close/CODE  closes with that code and the reason "because"
/report      waits for the client's close frame and prints it
Ends when its standard input does.
"""
import asyncio
import sys

import websockets
from websockets.asyncio.server import serve


async def handle(connection):
    path = connection.request.path
    if path == "/echo":
        async for message in connection:
            await connection.send(message)
    elif path == "/fragments":
        async for message in connection:
            await send_with_pings(connection, message)
    elif path.startswith("/close/"):
        await connection.close(int(path.removeprefix("/close/")), "because")
    elif path == "/report":
        try:
            await connection.recv()
        except websockets.ConnectionClosed as closed:
            received = closed.rcvd
            print("closed", received.code if received else None, received.reason if received else "", flush=True)


async def send_with_pings(connection, message):
    """Sends fragments by hand, so that pings stand between them."""
    opcode = 1 if isinstance(message, str) else 2
    data = message.encode() if opcode == 1 else message
    pieces = [data[start : start + 7] for start in range(0, len(data), 7)] or [b""]
    async with connection.send_context():
        protocol = connection.protocol
        for number, piece in enumerate(pieces):
            last = number == len(pieces) - 1
            if number == 0:
                send = protocol.send_text if opcode == 1 else protocol.send_binary
                send(piece, fin=last)
            else:
                protocol.send_continuation(piece, fin=last)
            if not last:
                protocol.send_ping(b"between")


async def main():
    async with serve(handle, "127.0.0.1", 0, max_size=2**20, compression=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
