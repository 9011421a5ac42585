# SPDX-License-Identifier: MIT
"""The h2 package as a bare client: sees each frame, so it tells what the gateway's settings and faults look like."""
import json
import socket
import ssl

import h2.connection
import h2.events
import h2.settings

from provider import TOPIC, authorization, gateway, report

STREAMS = h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS
token = authorization()


class Client:
    def __init__(self):
        context = ssl.create_default_context(cadata=gateway["root"])
        context.set_alpn_protocols(["h2"])
        raw = socket.create_connection(("127.0.0.1", gateway["port"]))
        self.socket = context.wrap_socket(raw, server_hostname="127.0.0.1")
        self.h2 = h2.connection.H2Connection()
        self.h2.initiate_connection()
        self.limits, self.statuses, self.resets, self.reason, self.pongs = [], {}, {}, None, 0
        self.is_over = False
        self.flush()
        self.until(lambda: self.limits)

    def flush(self):
        self.socket.sendall(self.h2.data_to_send())

    def send(self):
        stream = self.h2.get_next_available_stream_id()
        self.h2.send_headers(stream, [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
            (":path", "/3/device/" + gateway["token"]), ("authorization", token), ("apns-topic", TOPIC),
            ("apns-push-type", "voip"), ("apns-expiration", "0"),
        ])
        self.h2.send_data(stream, b'{"call":1}', end_stream=True)
        return stream

    def until(self, condition):
        while not condition() and not self.is_over:
            data = self.socket.recv(65_536)
            if not data:
                self.is_over = True
                return
            for event in self.h2.receive_data(data):
                if isinstance(event, h2.events.RemoteSettingsChanged) and STREAMS in event.changed_settings:
                    self.limits.append(event.changed_settings[STREAMS].new_value)
                elif isinstance(event, h2.events.ResponseReceived):
                    self.statuses[event.stream_id] = int(dict(event.headers)[b":status"])
                elif isinstance(event, h2.events.StreamReset):
                    self.resets[event.stream_id] = int(event.error_code)
                elif isinstance(event, h2.events.PingAckReceived):
                    self.pongs += 1
                elif isinstance(event, h2.events.ConnectionTerminated):
                    self.reason = json.loads(event.additional_data)["reason"]
            self.flush()


client = Client()
first = client.send()
client.flush()
client.until(lambda: len(client.limits) > 1 and first in client.statuses)
many = [client.send() for _ in range(100)]
client.h2.ping(b"12345678")
client.flush()
client.until(lambda: all(stream in client.statuses for stream in many) and client.pongs)
accepted = sum(client.statuses[stream] == 200 for stream in [first, *many])
print(json.dumps({"ready": True}), flush=True)
# The test orders a reset, then a GOAWAY, while this waits for a line.
input()
refused = client.send()
client.flush()
client.until(lambda: refused in client.resets)
last = client.send()
client.flush()
client.until(lambda: False)
report(
    limits=client.limits, accepted=accepted, pongs=client.pongs, reset=client.resets.get(refused),
    last=client.statuses.get(last), reason=client.reason)
