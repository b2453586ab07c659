"""Errors of a call. None contains the API key."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class RemotePrintingError(Exception):
    """Any error of a call."""

    code: Optional[str] = None
    status: Optional[int] = None
    #: Whether the same call can succeed later without a second effect.
    retryable: bool = False

    def __init__(self, message: str, *, attempts: int, idempotency_key: Optional[str] = None) -> None:
        super().__init__(message)
        #: Requests that were sent.
        self.attempts = attempts
        #: Of create, retry and reprint: repeat the call with it, and no second job is made, except after a restore.
        self.idempotency_key = idempotency_key


class ApiError(RemotePrintingError):
    """The service refused the call."""

    code: str
    status: int

    def __init__(self, status: int, body: Mapping[str, Any], **tried: Any) -> None:
        super().__init__(f"{body['code']}: {body.get('message')}", **tried)
        self.status = status
        self.code = body["code"]
        self.retryable = body["retryable"]
        self.request_id = body.get("request_id")
        self.correlation_id = body.get("correlation_id")


# By status.
class InvalidRequestError(ApiError): ...
class AuthenticationError(ApiError): ...
class PlanLimitError(ApiError): ...
class PermissionDeniedError(ApiError): ...
class NotFoundError(ApiError): ...
class ConflictError(ApiError): ...
class RateLimitError(ApiError): ...
class ServiceError(ApiError): ...


class NoAnswerError(RemotePrintingError):
    """No answer, or not one of the service. Whether a write was done is unknown."""

    def __init__(self, message: str, *, retryable: bool, **tried: Any) -> None:
        super().__init__(message, **tried)
        self.retryable = retryable


class AnswerTimeoutError(NoAnswerError):
    """The last attempt took longer than its time limit. Whether a write was done is unknown."""


class WaitTimeoutError(RemotePrintingError):
    """The time of `wait` is over and the job has not ended."""

    def __init__(self, job: dict[str, Any], *, attempts: int) -> None:
        super().__init__("the job has not ended", attempts=attempts)
        #: As last seen.
        self.job = job


_BY_STATUS: Mapping[int, type[ApiError]] = {
    **dict.fromkeys((400, 413, 415), InvalidRequestError),
    **{401: AuthenticationError, 402: PlanLimitError, 403: PermissionDeniedError},
    **{404: NotFoundError, 409: ConflictError, 429: RateLimitError},
}


def api_error_of(status: int) -> type[ApiError]:
    return _BY_STATUS.get(status, ServiceError if status >= 500 else ApiError)
