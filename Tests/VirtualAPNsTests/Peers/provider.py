# SPDX-License-Identifier: MIT
"""What the senders here share: the first argument is a JSON object with port, root, key, key_id, team and token."""
import json
import sys
import time

import jwt

gateway = json.loads(sys.argv[1])
TOPIC = "com.example.app.voip"


def authorization():
    """A provider token, as PyJWT makes it."""
    return "bearer " + jwt.encode(
        {"iss": gateway["team"], "iat": int(time.time())}, gateway["key"], algorithm="ES256",
        headers={"kid": gateway["key_id"]})


def report(**results):
    """The script's one line of output."""
    print(json.dumps(results), flush=True)
