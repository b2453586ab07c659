using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;

namespace RemotePrinting;

/// <summary>Jobs of the account.</summary>
public sealed class Jobs
{
    private const string Path = "svc-api-print-jobs";
    private const int WaitSeconds = 25;
    private readonly Transport transport;

    internal Jobs(Transport transport) => this.transport = transport;

    /// <summary>Creates a job exactly once per call, also when answers are lost.</summary>
    /// <param name="job">what to print, and where</param>
    /// <param name="idempotencyKey">8 to 128 of A-Z a-z 0-9 . _ : -; null: a new UUID</param>
    /// <param name="cancel">ends the call</param>
    public Task<Submitted> CreateAsync(NewJob job, string? idempotencyKey = null, CancellationToken cancel = default) =>
        SubmitAsync(Path, job, idempotencyKey, cancel);

    /// <summary>Queues a failed job again, or one in review: it may then print twice.</summary>
    public Task<Submitted> RetryAsync(
        string jobId, string? reason = null, string? idempotencyKey = null, CancellationToken cancel = default) =>
        SubmitAsync($"{PathOf(jobId)}/retry", new { reason }, idempotencyKey, cancel);

    /// <summary>Prints the kept document again as a new job, on another printer if one is named.</summary>
    public Task<Submitted> ReprintAsync(
        string jobId, string? printerId = null, string? idempotencyKey = null, CancellationToken cancel = default) =>
        SubmitAsync($"{PathOf(jobId)}/reprint", new { printer_id = printerId }, idempotencyKey, cancel);

    /// <summary>Newest first; limit is that of a page. A status that changes meanwhile can hide a job from a filter.</summary>
    public IAsyncEnumerable<PrintJob> ListAsync(
        string? status = null,
        string? printerId = null,
        string? externalId = null,
        int? limit = null,
        CancellationToken cancel = default) =>
        RemotePrintingClient.ListAsync<PrintJob>(
            transport,
            Path,
            it => it.JobId,
            [("status", status), ("printer_id", printerId), ("external_id", externalId)],
            limit,
            cancel);

    /// <summary>With its history in <see cref="Resource.More"/>; at (RFC 3339) shows it as it was then.</summary>
    public async Task<PrintJob> GetAsync(string jobId, string? at = null, CancellationToken cancel = default)
    {
        var call = new Call(HttpMethod.Get, PathOf(jobId) + RemotePrintingClient.QueryOf([("at", at)]));
        return (await transport.SendAsync<PrintJob>(call, cancel)).Data;
    }

    /// <summary>Why it has not printed, and what to do.</summary>
    public async Task<JsonElement> ExplainAsync(string jobId, CancellationToken cancel = default) =>
        (await transport.SendAsync<JsonElement>(new Call(HttpMethod.Get, $"{PathOf(jobId)}/explanation"), cancel)).Data;

    /// <summary>Possible until an Agent has accepted the job.</summary>
    public async Task<PrintJob> CancelAsync(string jobId, string? reason = null, CancellationToken cancel = default)
    {
        var call = new Call(HttpMethod.Post, $"{PathOf(jobId)}/cancel") { Body = new { reason } };
        return (await transport.SendAsync<PrintJob>(call, cancel)).Data;
    }

    /// <summary>Waits until the job has ended, also through an outage, with one request a change. Looks at least once.</summary>
    /// <param name="jobId">of the job</param>
    /// <param name="timeout">at most, and by default, the deadline of the client</param>
    /// <param name="onChange">gets the job as first seen and after each change</param>
    /// <param name="cancel">ends the wait</param>
    /// <exception cref="WaitTimeoutException">with the job as last seen</exception>
    public async Task<Ended> WaitAsync(
        string jobId, TimeSpan? timeout = null, Action<PrintJob>? onChange = null, CancellationToken cancel = default)
    {
        var clock = Stopwatch.StartNew();
        var wanted = Transport.LimitOf(timeout ?? TimeSpan.MaxValue);
        var end = wanted < transport.Deadline ? wanted : transport.Deadline;
        var call = new Call(HttpMethod.Get, PathOf(jobId)) { Timeout = Transport.WaitingAttempt };
        var answer = await transport.SendAsync<JsonElement>(call with { Patience = end }, cancel);
        var job = JobOf(answer.Data);
        onChange?.Invoke(job);
        var idle = 0;
        for (var requests = 1; ; requests++)
        {
            if (job.Outcome is { } outcome) return new Ended(outcome, job);
            var asked = Stopwatch.StartNew();
            var left = end - clock.Elapsed;
            if (left <= TimeSpan.Zero) throw new WaitTimeoutException(job, requests);
            Answer<JsonElement> next;
            try
            {
                next = await transport.SendAsync<JsonElement>(Condition(call, answer, left), cancel);
            }
            catch (RemotePrintingException error) when (error.Retryable && clock.Elapsed + Transport.TimerError >= end)
            {
                throw new WaitTimeoutException(job, requests + 1);
            }
            if (next.Data.ValueKind == JsonValueKind.Object && next.Data.GetRawText() != answer.Data.GetRawText())
            {
                (answer, job, idle) = (next, JobOf(next.Data), 0);
                onChange?.Invoke(job);
                continue;
            }
            var pause = Transport.PauseOf(idle++, asked);
            left = end - clock.Elapsed;
            if (pause > left) pause = left;
            if (pause > TimeSpan.Zero) await transport.Delay(pause, cancel);
        }
    }

    /// <summary>Asks for a change of what was answered.</summary>
    private static Call Condition(Call call, Answer<JsonElement> answer, TimeSpan left)
    {
        var etag = answer.Headers.TryGetValues("ETag", out var values) ? values.First() : null;
        var seconds = etag == null ? 0 : (int)Math.Min(WaitSeconds, Math.Floor(left.TotalSeconds));
        return call with { Etag = etag, WaitSeconds = seconds, Deadline = left, Patience = TimeSpan.MaxValue };
    }

    private async Task<Submitted> SubmitAsync(string path, object body, string? key, CancellationToken cancel)
    {
        if (key != null && !Ascii.IsValid(key)) throw new ArgumentException("the idempotency key must be ASCII");
        var call = new Call(HttpMethod.Post, path) { Body = body, Key = key ?? Guid.NewGuid().ToString() };
        var answer = await transport.SendAsync<PrintJob>(call, cancel);
        string? HeaderOf(string name) => answer.Headers.TryGetValues(name, out var values) ? values.First() : null;
        var isRestored = DateTimeOffset.TryParse(
            HeaderOf("Service-Restored-From"), CultureInfo.InvariantCulture, out var backup);
        return new Submitted(answer.Data, HeaderOf("Idempotent-Replayed") == "true")
        {
            RestoredFrom = isRestored ? backup : null,
        };
    }

    private static string PathOf(string jobId) => $"{Path}/{Uri.EscapeDataString(jobId)}";

    private static PrintJob JobOf(JsonElement data) => data.Deserialize<PrintJob>(Transport.Json)!;
}
