# SPDX-License-Identifier: MIT
"""A WebSocket client of another implementation, for the differential tests of the server role.

Usage: websocket_client.py PORT. The server has /echo, /close (closes with the code that a text message says) and
/refuse (answers 403). Prints one line per check: "ok NAME" or "failed NAME: why".
"""
import asyncio
import sys

import websockets
from websockets.asyncio.client import connect

LENGTHS = [0, 1, 125, 126, 200, 1000, 65535, 65536]
CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]


def text(length):
    """So many bytes of UTF-8, with two-byte characters."""
    return "ä" * (length // 2) + "x" * (length % 2)


def data(length):
    return bytes(number * 7 % 256 for number in range(length))


async def open_at(port, path):
    return await connect(f"ws://127.0.0.1:{port}{path}", compression=None, max_size=2**20)


async def lengths(port, make):
    async with await open_at(port, "/echo") as connection:
        for length in LENGTHS:
            await connection.send(make(length))
            answer = await connection.recv()
            assert answer == make(length), f"length {length}"


async def fragmented(port, make):
    """Fragments of 7 with a ping between any two, each cutting characters apart."""
    async with await open_at(port, "/echo") as connection:
        for length in LENGTHS[:6]:
            message = make(length)
            raw = message.encode() if isinstance(message, str) else message
            pieces = [raw[start : start + 7] for start in range(0, len(raw), 7)] or [b""]
            pongs = []
            for number, piece in enumerate(pieces):
                last = number == len(pieces) - 1
                async with connection.send_context():
                    if number == 0:
                        protocol = connection.protocol
                        send = protocol.send_text if isinstance(message, str) else protocol.send_binary
                        send(piece, fin=last)
                    else:
                        connection.protocol.send_continuation(piece, fin=last)
                if not last:
                    pongs.append(await connection.ping())
            assert await connection.recv() == message, f"length {length}"
            for pong in pongs:
                await pong


async def empty_fragments(port):
    async with await open_at(port, "/echo") as connection:
        async def pieces():
            for piece in ["", "a", "", "", "b", ""]:
                yield piece

        await connection.send(pieces())
        assert await connection.recv() == "ab"


async def closed_by_client(port, code):
    connection = await open_at(port, "/echo")
    await connection.close(code, "because")
    assert connection.close_code == code, connection.close_code


async def closed_by_server(port, code):
    connection = await open_at(port, "/close")
    await connection.send(str(code))
    try:
        await connection.recv()
        raise AssertionError("a message came")
    except websockets.ConnectionClosed as closed:
        assert closed.rcvd.code == code and closed.rcvd.reason == "because", closed


async def closed_without_code(port):
    connection = await open_at(port, "/echo")
    async with connection.send_context():
        connection.protocol.send_close()
    await connection.wait_closed()
    assert connection.close_code == 1005, connection.close_code


async def too_big(port):
    connection = await open_at(port, "/echo")
    await connection.send(b"x" * 65537)
    try:
        await connection.recv()
        raise AssertionError("a message came")
    except websockets.ConnectionClosed as closed:
        assert closed.rcvd.code == 1009, closed


async def not_utf8(port):
    connection = await open_at(port, "/echo")
    async with connection.send_context():
        connection.protocol.send_text(b"\xff")
    try:
        await connection.recv()
        raise AssertionError("a message came")
    except websockets.ConnectionClosed as closed:
        assert closed.rcvd.code == 1007, closed


async def refused(port):
    try:
        await open_at(port, "/refuse")
        raise AssertionError("the handshake worked")
    except websockets.InvalidStatus as status:
        assert status.response.status_code == 403, status
        assert status.response.body == b"not for you\n", status.response.body


async def compression_is_declined(port):
    async with connect(f"ws://127.0.0.1:{port}/echo", compression="deflate") as connection:
        await connection.send("plain")
        assert await connection.recv() == "plain"
        assert connection.protocol.extensions == []


async def check(name, work):
    try:
        await asyncio.wait_for(work, 60)
        print("ok", name, flush=True)
    except BaseException as error:
        print(f"failed {name}: {type(error).__name__} {error}", flush=True)


async def main(port):
    await check("text lengths", lengths(port, text))
    await check("binary lengths", lengths(port, data))
    await check("text fragments", fragmented(port, text))
    await check("binary fragments", fragmented(port, data))
    await check("empty fragments", empty_fragments(port))
    for code in CODES:
        await check(f"client closes {code}", closed_by_client(port, code))
        await check(f"server closes {code}", closed_by_server(port, code))
    await check("close without code", closed_without_code(port))
    await check("too big", too_big(port))
    await check("not UTF-8", not_utf8(port))
    await check("refused", refused(port))
    await check("compression is declined", compression_is_declined(port))
    print("done", flush=True)


asyncio.run(main(int(sys.argv[1])))
