"""The Integration API, for one account."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Optional
from urllib.parse import quote

from ._changes import ATTEMPT_SECONDS, WAIT_SECONDS, CursorStore, follow_changes, pause_of
from ._errors import RemotePrintingError, WaitTimeoutError
from ._transport import Answer, Call, Sleep, Transport

Json = dict[str, Any]


class Submitted(NamedTuple("Submitted", [("job", Json), ("replayed", bool)])):
    """replayed: True if an earlier request with the same key did it."""

    #: For 24 hours after a restore of the service: the time of the backup. It knows no key used since then (README.md).
    restored_from: Optional[str] = None


class Ended(NamedTuple):
    #: completed, failed, cancelled, expired, or needs_decision: a person must look at the printer first.
    outcome: str
    job: Json


class RemotePrinting:
    """Client of one account. Its methods return `data` of the answer and raise RemotePrintingError."""

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 3,
        deadline: Optional[float] = None,
        sleep: Sleep = time.sleep,
    ) -> None:
        """
        base_url: address of the service, with or without /v1.
        timeout: seconds of one attempt. deadline: seconds of a call with all its repeats; default without limit.
        sleep: for tests.
        """
        self._transport = Transport(api_key, base_url, timeout, max_retries, deadline, sleep)
        self.jobs = Jobs(self._transport)

    def account(self) -> Json:
        return self.request("GET", "/svc-api-account")

    def computers(self, **query: Any) -> Iterator[Json]:
        """Filters: status, limit (of a page), offset."""
        return _list(self._transport, "/svc-api-computers", "computer_id", query)

    def printers(self, **query: Any) -> Iterator[Json]:
        """Filters: computer_id, status, limit (of a page), offset."""
        return _list(self._transport, "/svc-api-printers", "printer_id", query)

    def test_printer(self, printer_id: str) -> Json:
        """Prints a test page."""
        return self.request("POST", f"/svc-api-printers/{quote(printer_id, '')}/test")

    def changes(
        self,
        *,
        after: Optional[str] = None,
        store: Optional[CursorStore] = None,
        event_types: Optional[Iterable[str]] = None,
        page_size: Optional[int] = None,
        follow: bool = True,
    ) -> Iterator[Json]:
        """
        What has changed in the account, each event once and in order.

        after: while `store` is empty, begins after this cursor, or with "now"; default: with the first event ever.
        store: gets the cursor of a page once the next item is asked for: its items are worked off then.
        follow: False ends after the last event of this moment; True waits for further events, also through an outage.
        Raises ConflictError if the service was restored and has lost the event of the cursor.
        """
        return follow_changes(self._transport, after, store, event_types, page_size, follow)

    def request(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        """Any other operation: path below /v1. Only a GET is repeated after a lost answer."""
        return self._transport.send(Call(method, path, body=body)).data


class Jobs:
    """`client.jobs`"""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        printer_id: str,
        content: Mapping[str, str],
        idempotency_key: Optional[str] = None,
        **fields: Any,
    ) -> Submitted:
        """
        Creates a job exactly once per call, also when answers are lost.

        content: of pdf(), text() or raw(). fields: title, copies, external_id, options and others of the API.
        idempotency_key: 8 to 128 of A-Z a-z 0-9 . _ : -; default: a new UUID.
        """
        return self._submit("", {"printer_id": printer_id, "content": content, **fields}, idempotency_key)

    def retry(
        self, job_id: str, *, reason: Optional[str] = None, idempotency_key: Optional[str] = None
    ) -> Submitted:
        """Queues a failed job again, or one in review: it may then print twice."""
        return self._submit(f"/{quote(job_id, '')}/retry", {"reason": reason}, idempotency_key)

    def reprint(
        self, job_id: str, *, printer_id: Optional[str] = None, idempotency_key: Optional[str] = None
    ) -> Submitted:
        """Prints the kept document again as a new job, on another printer if one is named."""
        return self._submit(f"/{quote(job_id, '')}/reprint", {"printer_id": printer_id}, idempotency_key)

    def list(self, **query: Any) -> Iterator[Json]:
        """
        Newest first. Filters: status, printer_id, external_id, limit (of a page), offset.

        A status that changes meanwhile can hide a job from a filter.
        """
        return _list(self._transport, _JOBS, "job_id", query)

    def get(self, job_id: str, *, at: Optional[str] = None) -> Json:
        """With its history; `at` (RFC 3339) shows it as it was then."""
        return self._transport.send(Call("GET", f"{_JOBS}/{quote(job_id, '')}", query={"at": at})).data

    def explain(self, job_id: str) -> Json:
        """Why it has not printed, and what to do."""
        return self._transport.send(Call("GET", f"{_JOBS}/{quote(job_id, '')}/explanation")).data

    def cancel(self, job_id: str, *, reason: Optional[str] = None) -> Json:
        """Possible until an Agent has accepted the job."""
        call = Call("POST", f"{_JOBS}/{quote(job_id, '')}/cancel", body=_given({"reason": reason}))
        return self._transport.send(call).data

    def wait(
        self, job_id: str, *, timeout: Optional[float] = None, on_change: Optional[Callable[[Json], None]] = None
    ) -> Ended:
        """
        Waits until the job has ended, also through an outage, with one request a change. Looks at least once.

        timeout: seconds; at most, and by default, the deadline of the client. on_change: gets the job as first seen and after each change.
        Raises WaitTimeoutError with the job as last seen.
        """
        limits = [limit for limit in (timeout, self._transport.deadline) if limit is not None]
        limit = min(limits) if limits else math.inf
        end = time.monotonic() + limit
        call = Call("GET", f"{_JOBS}/{quote(job_id, '')}", timeout=ATTEMPT_SECONDS)
        answer = self._transport.send(replace(call, patience=limit))
        if on_change:
            on_change(answer.data)
        requests, idle = 1, 0
        while (outcome := _outcome_of(answer.data)) is None:
            left = end - time.monotonic()
            if left <= 0:
                raise WaitTimeoutError(answer.data, attempts=requests)
            asked_at = time.monotonic()
            requests += 1
            try:
                next_call = replace(call, headers=_conditions(answer, left), deadline=left, patience=math.inf)
                after = self._transport.send(next_call)
            except RemotePrintingError as error:
                if not error.retryable or time.monotonic() < end:
                    raise
                raise WaitTimeoutError(answer.data, attempts=requests) from error
            if after.status != 304 and after.data != answer.data:
                answer, idle = after, 0
                if on_change:
                    on_change(answer.data)
                continue
            self._transport.sleep(min(pause_of(idle, asked_at), left))
            idle += 1
        return Ended(outcome, answer.data)

    def _submit(self, path: str, body: Mapping[str, Any], key: Optional[str]) -> Submitted:
        call = Call("POST", _JOBS + path, body=_given(body), keyed=True, idempotency_key=key)
        answer = self._transport.send(call)
        submitted = Submitted(answer.data, answer.headers.get("Idempotent-Replayed") == "true")
        submitted.restored_from = answer.headers.get("Service-Restored-From")
        return submitted


_JOBS = "/svc-api-print-jobs"
#: Ids remembered while offsets shift.
_REMEMBERED = 1_000


def _list(transport: Transport, path: str, id_field: str, query: Mapping[str, Any]) -> Iterator[Json]:
    """Gives no item twice, although one created meanwhile moves the pages."""
    seen: dict[str, None] = {}
    offset = query.get("offset")
    while True:
        page = transport.send(Call("GET", path, query={**query, "offset": offset})).data
        for item in page["items"]:
            if item[id_field] in seen:
                continue
            seen[item[id_field]] = None
            if len(seen) > _REMEMBERED:
                del seen[next(iter(seen))]
            yield item
        offset = page["offset"] + len(page["items"])
        if not page["items"] or offset >= page["total"]:
            return


def _given(fields: Mapping[str, Any]) -> Json:
    return {name: value for name, value in fields.items() if value is not None}


def _conditions(answer: Answer, left: float) -> dict[str, str]:
    """Headers that ask for a change of what was answered."""
    etag = answer.headers.get("ETag")
    if etag is None:
        return {}
    seconds = int(min(WAIT_SECONDS, left))
    return {"If-None-Match": etag, **({"Prefer": f"wait={seconds}"} if seconds > 0 else {})}


def _outcome_of(job: Mapping[str, Any]) -> Optional[str]:
    status = job["status"]
    if status in ("cancelled", "expired"):
        return status
    if status == "failed":
        return None if job.get("retry_state") == "scheduled" else "failed"
    return {"spooler_completed": "completed", "manual_review": "needs_decision"}.get(status)
