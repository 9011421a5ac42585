# SPDX-License-Identifier: MIT
"""httpx over HTTP/2 against the gateway: one push of each fate, over one connection."""
import json
import ssl

import httpx

from provider import TOPIC, authorization, gateway, report

client = httpx.Client(
    http1=False, http2=True, verify=ssl.create_default_context(cadata=gateway["root"]),
    base_url=f"https://127.0.0.1:{gateway['port']}", timeout=None)
usual = {
    "authorization": authorization(), "apns-topic": TOPIC, "apns-push-type": "voip", "apns-priority": "10",
    "apns-expiration": "0",
}


def send(token, body=b'{"call":1}', **changes):
    headers = {**usual, **{name.replace("_", "-"): value for name, value in changes.items()}}
    response = client.post("/3/device/" + token, content=body, headers={k: v for k, v in headers.items() if v})
    assert response.http_version == "HTTP/2"
    reason = json.loads(response.content)["reason"] if response.content else ""
    return f"{response.status_code} {reason}".strip()


report(fates=[
    send(gateway["token"]),
    send(gateway["token"], b'{"pad":"' + b"x" * 5_110 + b'"}'),
    send(gateway["token"], b'{"pad":"' + b"x" * 5_111 + b'"}'),
    send(gateway["token"], b""),
    send("ff"),
    send(gateway["dead"]),
    send(gateway["token"], apns_push_type="alert"),
    send(gateway["token"], apns_topic=None),
    send(gateway["token"], apns_topic="com.example.app"),
    send(gateway["token"], apns_id="12345"),
    send(gateway["token"], authorization=None),
    send(gateway["token"], authorization=usual["authorization"] + "x"),
    send(gateway["token"]),
])
