# SPDX-License-Identifier: MIT
"""aioapns against the gateway: one push of each fate, then many at once."""
import asyncio
import ssl

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsProductionClientProtocol

from provider import TOPIC, gateway, report


async def main():
    APNsProductionClientProtocol.APNS_SERVER = "127.0.0.1"
    APNsProductionClientProtocol.APNS_PORT = gateway["port"]
    context = ssl.create_default_context(cadata=gateway["root"])
    context.set_alpn_protocols(["h2"])
    client = APNs(
        key=gateway["key"], key_id=gateway["key_id"], team_id=gateway["team"], topic=TOPIC, max_connections=1,
        ssl_context=context)

    async def send(token, message):
        result = await client.send_notification(
            NotificationRequest(device_token=token, message=message, push_type=PushType.VOIP, priority=10))
        return f"{result.status} {result.description or ''}".strip()

    fates = [
        await send(gateway["token"], {"call": 1}),
        await send("ff", {"call": 2}),
        await send(gateway["dead"], {"call": 3}),
        await send(gateway["token"], {"call": 4, "pad": "x" * 5_120}),
        await send(gateway["token"], {"call": 5}),
    ]
    many = await asyncio.gather(*(send(gateway["token"], {"call": number}) for number in range(20)))
    report(fates=fates, accepted=sum(fate == "200" for fate in many))


asyncio.run(main())
