"""Client of the Remote Printing Service. See README.md."""

from ._changes import CursorStore as CursorStore, FileCursor as FileCursor
from ._client import Ended as Ended, RemotePrinting as RemotePrinting, Submitted as Submitted
from ._content import pdf as pdf, raw as raw, text as text
from ._errors import (
    AnswerTimeoutError as AnswerTimeoutError,
    ApiError as ApiError,
    AuthenticationError as AuthenticationError,
    ConflictError as ConflictError,
    InvalidRequestError as InvalidRequestError,
    NoAnswerError as NoAnswerError,
    NotFoundError as NotFoundError,
    PermissionDeniedError as PermissionDeniedError,
    PlanLimitError as PlanLimitError,
    RateLimitError as RateLimitError,
    RemotePrintingError as RemotePrintingError,
    ServiceError as ServiceError,
    WaitTimeoutError as WaitTimeoutError,
)
from ._webhooks import WebhookVerificationError as WebhookVerificationError, verify_webhook as verify_webhook
