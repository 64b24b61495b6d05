import base64
import hashlib
import hmac
import time

TOLERANCE_SECONDS = 300


def is_genuine(body: bytes, headers: dict, secret: str, now: float | None = None) -> bool:
    """Whether a request came from the shop. `body` is the raw body, `headers` are by lower-case name."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs((now or time.time()) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" "))
