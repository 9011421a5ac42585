# SPDX-License-Identifier: MIT
"""The load of push.cpu and push.rate with aioapns: prints {"per_second": …, "cpu_us": …} as its last line."""

import argparse
import asyncio
import json
import resource
import ssl
import time
import uuid

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsProductionClientProtocol

# aioapns does not wait for flow control: more at a time and it gives up for a second.
IN_FLIGHT = 100


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def send(client, options, count):
    message = {"v": 1, "call": str(uuid.uuid4()), "name": "Alice", "pad": ""}
    message["pad"] = "x" * (300 - len(json.dumps(message)))
    left = count

    async def worker():
        nonlocal left
        while left > 0:
            left -= 1
            request = NotificationRequest(
                device_token=options.token, message=message, push_type=PushType.VOIP, priority=10,
                notification_id=str(uuid.uuid4()))
            result = await client.send_notification(request)
            if not result.is_successful:
                raise SystemExit(f"a push failed: {result.status} {result.description}")

    await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))


async def main():
    parser = argparse.ArgumentParser()
    for name in ("port", "root", "key", "key-id", "team", "bundle", "token", "count"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    APNsProductionClientProtocol.APNS_SERVER = "127.0.0.1"
    APNsProductionClientProtocol.APNS_PORT = int(options.port)
    context = ssl.create_default_context(cafile=options.root)
    context.set_alpn_protocols(["h2"])
    client = APNs(
        key=open(options.key).read(), key_id=options.key_id, team_id=options.team, topic=options.bundle + ".voip",
        max_connections=1, ssl_context=context)
    count = int(options.count)
    # One push alone first: until a valid token came there is one stream.
    await send(client, options, 1)
    await asyncio.sleep(0.2)
    # Its count of free streams stays near the old limit when the limit is raised while a push is under way.
    for connection in client.pool.connections:
        connection.free_channels._value = connection.free_channels.bound
    await send(client, options, min(count, 500))
    cpu, start = cpu_seconds(), time.monotonic()
    await send(client, options, count)
    seconds = time.monotonic() - start
    print(json.dumps({"per_second": count / seconds, "cpu_us": (cpu_seconds() - cpu) * 1e6 / count}))


asyncio.run(main())
