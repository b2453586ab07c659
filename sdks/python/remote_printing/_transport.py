"""Sends requests, and repeats them where no second effect can come of it."""

from __future__ import annotations

import json
import math
import random
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, Callable, Mapping, Optional, Union

from ._errors import AnswerTimeoutError, NoAnswerError, RemotePrintingError, api_error_of

_RETRY_AFTER_LIMIT = 60.0
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 8.0
#: Statuses of a proxy that has no answer of the service.
_PROXY = frozenset({408, 502, 503, 504})
#: Of a request. The service refuses a larger one before it has read it, and its answer can get lost then.
_MAX_BYTES = 16_777_216
_TOO_LARGE = {
    "code": "SVC_PAYLOAD_TOO_LARGE",
    "message": f"The request has more than {_MAX_BYTES} bytes.",
    "retryable": False,
}
_USER_AGENT = "remote-printing-python/2.0.59"

Sleep = Callable[[float], None]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    #: None for a 304.
    data: Any
    attempts: int


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Optional[Mapping[str, Any]] = None
    body: Optional[Mapping[str, Any]] = None
    headers: Optional[Mapping[str, str]] = None
    #: Sends an idempotency key: the given one, or one that is made for the call and kept over its attempts.
    keyed: bool = False
    idempotency_key: Optional[str] = None
    #: Seconds of one attempt.
    timeout: Optional[float] = None
    #: Seconds of the call with all its repeats.
    deadline: Optional[float] = None
    #: Repeats for so many seconds, also more often than `max_retries`.
    patience: float = 0.0

    @property
    def repeatable(self) -> bool:
        return self.method == "GET" or self.keyed


@dataclass(frozen=True)
class _Failure:
    error: RemotePrintingError
    again: bool
    retry_after: float = 0.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Another host must not receive the key."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Thread-safe: each request has a connection of its own."""

    def __init__(
        self, api_key: str, base_url: str, timeout: float, max_retries: int, deadline: Optional[float], sleep: Sleep
    ) -> None:
        if not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("the API key must be printable ASCII")
        if not re.match(r"https?://", base_url):
            raise ValueError("the address of the service must begin with https:// or http://")
        self._api_key = api_key
        self._base = re.sub(r"(/v1)?/?$", "", base_url) + "/v1"
        self._timeout = timeout
        self._max_retries = max_retries
        self.deadline = deadline
        self.sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirects)

    def send(self, call: Call) -> Answer:
        key = str(uuid.uuid4()) if call.keyed and call.idempotency_key is None else call.idempotency_key
        deadline = self.deadline if call.deadline is None else call.deadline
        begun = time.monotonic()
        end = math.inf if deadline is None else begun + deadline
        attempts = 0
        while True:
            attempts += 1
            limit = self._timeout if call.timeout is None else call.timeout
            limit = max(0.001, min(limit, end - time.monotonic()))
            outcome = self._attempt(call, key, attempts, limit)
            if isinstance(outcome, Answer):
                return outcome
            pause = max(outcome.retry_after, _backoff(attempts))
            now = time.monotonic()
            patient = now - begun < call.patience
            if patient:
                pause = max(0.0, min(pause, _RETRY_AFTER_LIMIT, end - now))
            late = (now if patient else now + pause) >= end or pause > _RETRY_AFTER_LIMIT
            if not outcome.again or late or (attempts > self._max_retries and not patient):
                raise outcome.error
            self.sleep(pause)

    def _attempt(self, call: Call, key: Optional[str], attempts: int, limit: float) -> Union[Answer, _Failure]:
        tried: dict[str, Any] = {"attempts": attempts, "idempotency_key": key}
        try:
            status, headers, text = self._exchange(self._request(call, key), limit)
        except (OSError, HTTPException) as error:
            late = isinstance(error, socket.timeout) or isinstance(getattr(error, "reason", None), socket.timeout)
            # Other errors may repeat what was sent.
            reason = str(getattr(error, "reason", error)) if isinstance(error, OSError) else ""
            what = f"({reason or type(error).__name__})"
            kind, what = (AnswerTimeoutError, "in time") if late else (NoAnswerError, what)
            failure = kind(
                f"{call.method} {call.path} was not answered {what}", retryable=call.repeatable, **tried
            )
            failure.__cause__ = error
            return _Failure(failure, again=call.repeatable)
        return _judge(call, status, headers, text, tried)

    def _request(self, call: Call, key: Optional[str]) -> urllib.request.Request:
        query = {name: value for name, value in (call.query or {}).items() if value is not None}
        url = self._base + call.path + ("?" + urllib.parse.urlencode(query) if query else "")
        body = None if call.body is None else json.dumps(call.body).encode("utf-8")
        if body is not None and len(body) > _MAX_BYTES:
            raise api_error_of(413)(413, _TOO_LARGE, attempts=0, idempotency_key=key)
        headers = {"Accept": "application/json", "User-Agent": _USER_AGENT, **(call.headers or {})}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        request = urllib.request.Request(url, body, headers, method=call.method)
        request.add_unredirected_header("Authorization", f"Bearer {self._api_key}")
        return request

    def _exchange(self, request: urllib.request.Request, limit: float) -> tuple[int, Mapping[str, str], bytes]:
        end = time.monotonic() + limit
        try:
            response = self._opener.open(request, timeout=limit)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            chunks = []
            # The limit of a socket is for each of its reads.
            while chunk := response.read1(65536):
                chunks.append(chunk)
                if time.monotonic() > end:
                    raise socket.timeout("the answer is not complete")
            return response.status, response.headers, b"".join(chunks)


def _judge(
    call: Call, status: int, headers: Mapping[str, str], text: bytes, tried: Mapping[str, Any]
) -> Union[Answer, _Failure]:
    """What follows from an answer: README.md, "Retries"."""
    body = _parsed(text)
    retry_after = _retry_after(headers.get("Retry-After"))
    if status == 304 or (status < 300 and body is not None):
        return Answer(status, headers, None if body is None else body.get("data"), tried["attempts"])
    if status < 300 or body is None or not _is_error(body):
        what = "an answer that was cut" if status < 300 else f"status {status} without a body of the service"
        again = status == 429 or (call.repeatable and (status < 300 or status in _PROXY))
        failure = NoAnswerError(f"{call.method} {call.path} had {what}", retryable=again, **tried)
        return _Failure(failure, again, retry_after)
    error = api_error_of(status)(status, body, **tried)
    again = error.retryable and (status == 429 or (status == 503 and call.repeatable))
    return _Failure(error, again, retry_after)


def _parsed(text: bytes) -> Optional[dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _is_error(body: Mapping[str, Any]) -> bool:
    return isinstance(body.get("code"), str) and isinstance(body.get("retryable"), bool)


def _retry_after(given: Optional[str]) -> float:
    """Seconds of a header that has seconds or a date."""
    if given is None:
        return 0.0
    try:
        return max(0.0, float(given))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(given).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0


def _backoff(attempts: int) -> float:
    """A random time, so that many clients do not come back at once."""
    return random.random() * min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(attempts - 1, 10))
