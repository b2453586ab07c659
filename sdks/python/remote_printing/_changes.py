"""Follows the changes of an account."""

from __future__ import annotations

import math
import os
import time
from dataclasses import replace
from typing import Any, Iterable, Iterator, Optional, Protocol

from ._transport import Call, Transport

WAIT_SECONDS = 25
#: Longer than the service waits.
ATTEMPT_SECONDS = 40.0
#: Pauses while unchanged answers come back at once: something removed the wait from the request.
_PAUSES = (1.0, 2.0, 4.0, 5.0)
_AT_ONCE = 0.5


class CursorStore(Protocol):
    """Keeps a cursor, so that a reader goes on after a restart."""

    def load(self) -> Optional[str]: ...

    def save(self, cursor: str) -> None: ...


class FileCursor:
    """A cursor in a file, which is replaced as a whole."""

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self._path = os.fspath(path)

    def load(self) -> Optional[str]:
        try:
            with open(self._path, encoding="ascii") as file:
                return file.read().strip() or None
        except FileNotFoundError:
            return None

    def save(self, cursor: str) -> None:
        with open(f"{self._path}.new", "w", encoding="ascii") as file:
            file.write(cursor)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{self._path}.new", self._path)


def pause_of(idle: int, asked_at: float) -> float:
    """Seconds to wait before the next request after `idle` earlier pauses; asked_at: of time.monotonic()."""
    if time.monotonic() - asked_at >= _AT_ONCE:
        return 0.0
    return _PAUSES[min(idle, len(_PAUSES) - 1)]


def follow_changes(
    transport: Transport,
    after: Optional[str],
    store: Optional[CursorStore],
    event_types: Optional[Iterable[str]],
    page_size: Optional[int],
    follow: bool,
) -> Iterator[dict[str, Any]]:
    stored = None if store is None else store.load()
    cursor = after if stored is None else stored
    types = None if event_types is None else ",".join(event_types)
    headers = {"Prefer": f"wait={WAIT_SECONDS}"} if follow else None
    idle = 0
    while True:
        asked_at = time.monotonic()
        query = {"after": cursor, "limit": page_size, "event_types": types}
        call = Call("GET", "/svc-api-changes", query=query, headers=headers, timeout=ATTEMPT_SECONDS)
        if follow:
            call = replace(call, patience=math.inf)
        answer = transport.send(call)
        more = False
        if answer.status != 304:
            yield from answer.data["items"]
            if answer.data["next_cursor"] != cursor:
                cursor = answer.data["next_cursor"]
                if store is not None:
                    store.save(cursor)
                idle = 0
                more = follow or answer.data["has_more"]
        if more:
            continue
        if not follow:
            return
        transport.sleep(pause_of(idle, asked_at))
        idle += 1
