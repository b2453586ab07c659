namespace RemotePrinting;

/// <summary>Any error of a call. None contains the API key.</summary>
public abstract class RemotePrintingException(
    string message, bool retryable, int attempts, string? idempotencyKey, Exception? inner = null)
    : Exception(message, inner)
{
    /// <summary>Whether the same call can succeed later without a second effect.</summary>
    public bool Retryable { get; } = retryable;

    /// <summary>Requests that were sent.</summary>
    public int Attempts { get; } = attempts;

    /// <summary>Of create, retry and reprint: repeat the call with it, and no second job is made, except after a restore.</summary>
    public string? IdempotencyKey { get; } = idempotencyKey;
}

/// <summary>The service refused the call.</summary>
public sealed class ApiException : RemotePrintingException
{
    internal ApiException(int status, ErrorBody body, TimeSpan retryAfter, int attempts, string? key)
        : base($"{body.Code}: {body.Message}", body.Retryable == true, attempts, key)
    {
        (Status, Code, RetryAfter) = (status, body.Code!, retryAfter);
        (RequestId, CorrelationId) = (body.RequestId, body.CorrelationId);
    }

    public int Status { get; }
    public string Code { get; }
    public string? RequestId { get; }
    public string? CorrelationId { get; }

    /// <summary>How long the service asks to wait; zero if it does not say.</summary>
    public TimeSpan RetryAfter { get; }
}

/// <summary>No answer, or not one of the service. Whether a write was done is unknown.</summary>
public sealed class NoAnswerException(
    string message, bool timedOut, bool retryable, int attempts, string? idempotencyKey, Exception? inner)
    : RemotePrintingException(message, retryable, attempts, idempotencyKey, inner)
{
    /// <summary>Whether the last attempt took longer than its time limit.</summary>
    public bool TimedOut { get; } = timedOut;

    /// <summary>How long a proxy asks to wait; zero if it does not say.</summary>
    public TimeSpan RetryAfter { get; internal init; }
}

/// <summary>The time of a wait is over and the job has not ended.</summary>
public sealed class WaitTimeoutException(PrintJob job, int attempts)
    : RemotePrintingException("the job has not ended", true, attempts, null)
{
    /// <summary>As last seen.</summary>
    public PrintJob Job { get; } = job;
}

public enum WebhookRefusal
{
    MissingHeader,
    Stale,
    Signature,
    Body,
}

/// <summary>The delivery did not come from the service, is too old, or is damaged: answer 400 and do nothing.</summary>
public sealed class WebhookVerificationException(WebhookRefusal reason, string message) : Exception(message)
{
    public WebhookRefusal Reason { get; } = reason;
}

internal sealed record ErrorBody(
    string? Code, string? Message, bool? Retryable, string? RequestId, string? CorrelationId);
