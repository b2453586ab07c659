"""Verifies deliveries of webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Optional, Sequence, Union

#: Signed before the body, in this order and joined by dots.
_SIGNED = (
    "x-svc-timestamp",
    "x-svc-event-id",
    "x-svc-version",
    "x-svc-api-version",
    "x-svc-event-schema-version",
)
#: The second one is there for 24 hours after a rotation.
_SIGNATURES = ("x-svc-signature", "x-svc-signature-previous")


class WebhookVerificationError(Exception):
    """The delivery did not come from the service, is too old, or is damaged: answer 400 and do nothing."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        #: missing_header, stale, signature or body
        self.reason = reason


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, Union[str, Sequence[str]]],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> dict[str, Any]:
    """
    Verifies a delivery over its raw bytes, before they are parsed, and returns the event.

    body: as received; a str must be its UTF-8 decoding. headers: names in any case.
    secrets: `whsec_live_…`: one, or after a rotation both. tolerance: seconds. now: Unix seconds, for tests.
    """
    content = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    given = {name.lower(): value if isinstance(value, str) else value[0] for name, value in headers.items()}
    for name in (*_SIGNED, _SIGNATURES[0]):
        if name not in given:
            raise WebhookVerificationError("missing_header", f"{name} is missing")
    timestamp = given["x-svc-timestamp"]
    current = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,15}", timestamp) or abs(current - int(timestamp)) > tolerance:
        raise WebhookVerificationError("stale", "the timestamp is too far from now")
    message = ".".join(given[name] for name in _SIGNED).encode("utf-8") + b"." + content
    signed = False
    for secret in filter(None, [secrets] if isinstance(secrets, str) else secrets):
        expected = "v1=" + hmac.new(secret.encode("utf-8"), message, hashlib.sha256).hexdigest()
        for name in _SIGNATURES:
            signed |= hmac.compare_digest(given.get(name, "").encode("utf-8"), expected.encode("utf-8"))
    if not signed:
        raise WebhookVerificationError("signature", "no signature fits a secret")
    try:
        event = json.loads(content.decode("utf-8"))
    except ValueError:
        event = None
    if not isinstance(event, dict) or "event_type" not in event:
        raise WebhookVerificationError("body", "the body is not an event")
    return event
