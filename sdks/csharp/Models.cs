using System.Text.Json;
using System.Text.Json.Serialization;

namespace RemotePrinting;

/// <summary>A document as the API takes it.</summary>
public sealed record Content
{
    private Content(string type, string encoding, string data) => (Type, Encoding, Data) = (type, encoding, data);

    public string Type { get; }
    public string Encoding { get; }
    public string Data { get; }

    /// <summary>A whole PDF file.</summary>
    public static Content Pdf(ReadOnlySpan<byte> bytes) => new("pdf", "base64", Convert.ToBase64String(bytes));

    /// <summary>Bytes that the printer understands itself, such as ESC/POS or ZPL.</summary>
    public static Content Raw(ReadOnlySpan<byte> bytes) => new("raw", "base64", Convert.ToBase64String(bytes));

    /// <summary>Text, which the service encodes for the printer.</summary>
    public static Content Text(string text) => new("text", "utf8", text);
}

/// <summary>A request for a job. Options: any object, serialized with its names in snake_case.</summary>
public sealed record NewJob(string PrinterId, Content Content)
{
    public string? Title { get; init; }
    public int? Copies { get; init; }
    public string? ExternalId { get; init; }
    public object? Options { get; init; }
}

/// <summary>A resource with the fields that this version knows; the others are in <see cref="More"/>.</summary>
public abstract record Resource
{
    [JsonExtensionData]
    public Dictionary<string, JsonElement> More { get; init; } = [];
}

public sealed record PrintJob : Resource
{
    public required string JobId { get; init; }
    public required string Status { get; init; }
    public string? PrinterId { get; init; }
    public string? Title { get; init; }
    public string? ExternalId { get; init; }
    public string? RetryState { get; init; }
    public string? FailureCode { get; init; }
    public bool CanCancel { get; init; }
    public bool CanRetry { get; init; }

    /// <summary>How it ended; null while it has not. NeedsDecision: a person must look at the printer first.</summary>
    [JsonIgnore]
    public Outcome? Outcome => Status switch
    {
        "spooler_completed" => RemotePrinting.Outcome.Completed,
        "cancelled" => RemotePrinting.Outcome.Cancelled,
        "expired" => RemotePrinting.Outcome.Expired,
        "manual_review" => RemotePrinting.Outcome.NeedsDecision,
        "failed" when RetryState != "scheduled" => RemotePrinting.Outcome.Failed,
        _ => null,
    };
}

public sealed record Printer : Resource
{
    public required string PrinterId { get; init; }
    public required string Name { get; init; }
    public required string Status { get; init; }
    public string? ComputerId { get; init; }
}

public sealed record Computer : Resource
{
    public required string ComputerId { get; init; }
    public required string Status { get; init; }
    public string? Name { get; init; }
}

/// <summary>An event: the body of a webhook, and an item of the changes.</summary>
public sealed record Change : Resource
{
    public required string EventId { get; init; }
    public required string EventType { get; init; }
    public DateTimeOffset CreatedAt { get; init; }
    public long Sequence { get; init; }
    public string? AccountId { get; init; }

    /// <summary>One field, the resource as it was right after the event.</summary>
    public JsonElement Data { get; init; }
}

/// <summary>Replayed: an earlier request with the same key did it.</summary>
public sealed record Submitted(PrintJob Job, bool Replayed)
{
    /// <summary>
    /// For 24 hours after a restore of the service: the time of the backup. It knows no key used since then (README.md).
    /// </summary>
    public DateTimeOffset? RestoredFrom { get; init; }
}

public enum Outcome
{
    Completed,
    Failed,
    Cancelled,
    Expired,
    NeedsDecision,
}

public sealed record Ended(Outcome Outcome, PrintJob Job);

internal sealed record OffsetPage<T>(IReadOnlyList<T> Items, int Offset, int Total);

internal sealed record ChangePage(IReadOnlyList<Change> Items, string NextCursor, bool HasMore);
