using System.Diagnostics;
using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;

namespace RemotePrinting;

public sealed record RemotePrintingOptions
{
    /// <summary>Of one attempt.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Of a call with all its repeats, or of a wait; null: without limit.</summary>
    public TimeSpan? Deadline { get; init; }

    public int MaxRetries { get; init; } = 3;

    /// <summary>Sends the requests; it must not follow redirects, which would get the API key.</summary>
    public HttpMessageHandler? Handler { get; init; }

    /// <summary>For tests.</summary>
    public Func<TimeSpan, CancellationToken, Task> Delay { get; init; } = Task.Delay;
}

internal sealed record Call(HttpMethod Method, string Path)
{
    public object? Body { get; init; }

    /// <summary>The idempotency key, kept over all attempts.</summary>
    public string? Key { get; init; }
    public TimeSpan? Timeout { get; init; }
    public TimeSpan? Deadline { get; init; }

    /// <summary>Repeats for so long, also more often than MaxRetries.</summary>
    public TimeSpan Patience { get; init; }
    public string? Etag { get; init; }
    public int WaitSeconds { get; init; }
    public bool Repeatable => Method == HttpMethod.Get || Key != null;
}

/// <summary>Data is the default for a 304.</summary>
internal sealed record Answer<T>(HttpStatusCode Status, HttpResponseHeaders Headers, T Data);

/// <summary>Sends requests, and repeats them where no second effect can come of it.</summary>
internal sealed partial class Transport : IDisposable
{
    /// <summary>Of an attempt in which the service waits for a change.</summary>
    public static readonly TimeSpan WaitingAttempt = TimeSpan.FromSeconds(40);
    /// <summary>How early a timer may fire: its clock has steps, on Windows of 16 ms.</summary>
    public static readonly TimeSpan TimerError = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan RetryAfterLimit = TimeSpan.FromSeconds(60);
    /// <summary>Statuses of a proxy that has no answer of the service.</summary>
    private static readonly int[] Proxy = [408, 502, 503, 504];
    /// <summary>Of a request. The service refuses a larger one before it has read it, and its answer gets lost then.</summary>
    private const int MaxBytes = 16_777_216;
    /// <summary>Something on the way removed the wait from the request.</summary>
    private static readonly int[] PauseSeconds = [1, 2, 4, 5];
    internal static readonly JsonSerializerOptions Json = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    private readonly HttpClient http;
    private readonly RemotePrintingOptions options;

    public Transport(string apiKey, string baseUrl, RemotePrintingOptions options)
    {
        if (!PrintableAscii().IsMatch(apiKey)) throw new ArgumentException("the API key must be printable ASCII");
        this.options = options;
        // Another host must not receive the key.
        var handler = options.Handler ?? new SocketsHttpHandler { AllowAutoRedirect = false };
        http = new HttpClient(handler, disposeHandler: options.Handler == null)
        {
            BaseAddress = new Uri(Version().Replace(baseUrl, "", 1) + "/v1/"),
            Timeout = System.Threading.Timeout.InfiniteTimeSpan,
        };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", apiKey);
        // A kept connection may be dead.
        http.DefaultRequestHeaders.ConnectionClose = true;
        http.DefaultRequestHeaders.Accept.ParseAdd("application/json");
        http.DefaultRequestHeaders.UserAgent.ParseAdd("remote-printing-csharp/2.0.59");
    }

    public TimeSpan Deadline => LimitOf(options.Deadline ?? TimeSpan.MaxValue);

    public static TimeSpan LimitOf(TimeSpan given) =>
        given == System.Threading.Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : given;

    public void Dispose() => http.Dispose();

    public Task Delay(TimeSpan time, CancellationToken cancel) => options.Delay(time, cancel);

    /// <summary>How long to wait before the next request, if an unchanged answer has come back at once.</summary>
    public static TimeSpan PauseOf(int idle, Stopwatch asked) =>
        asked.ElapsedMilliseconds >= 500
            ? TimeSpan.Zero
            : TimeSpan.FromSeconds(PauseSeconds[Math.Min(idle, PauseSeconds.Length - 1)]);

    public async Task<Answer<T>> SendAsync<T>(Call call, CancellationToken cancel)
    {
        var clock = Stopwatch.StartNew();
        var deadline = call.Deadline ?? Deadline;
        for (var attempts = 1; ; attempts++)
        {
            var left = deadline - clock.Elapsed;
            var limit = LimitOf(call.Timeout ?? options.Timeout);
            RemotePrintingException error;
            bool again;
            var retryAfter = TimeSpan.Zero;
            try
            {
                return await AttemptAsync<T>(call, limit < left ? limit : left, attempts, cancel);
            }
            catch (NoAnswerException failure)
            {
                (error, again, retryAfter) = (failure, failure.Retryable, failure.RetryAfter);
            }
            catch (ApiException failure)
            {
                again = failure.Retryable && (failure.Status == 429 || (failure.Status == 503 && call.Repeatable));
                (error, retryAfter) = (failure, failure.RetryAfter);
            }
            var backoff = TimeSpan.FromSeconds(Random.Shared.NextDouble() * Math.Min(8, Math.Pow(2, attempts - 1)));
            var pause = retryAfter > backoff ? retryAfter : backoff;
            var patient = clock.Elapsed < call.Patience;
            left = deadline - clock.Elapsed;
            if (patient && pause > RetryAfterLimit) pause = RetryAfterLimit;
            // A patient call uses all of its time.
            if (patient && left > TimeSpan.Zero && pause >= left) pause = left;
            else if (pause >= left) throw error;
            if (!again || pause > RetryAfterLimit || (attempts > options.MaxRetries && !patient)) throw error;
            await Delay(pause, cancel);
        }
    }

    private async Task<Answer<T>> AttemptAsync<T>(Call call, TimeSpan limit, int attempts, CancellationToken cancel)
    {
        NoAnswerException Failure(string what, bool again, bool late = false, Exception? inner = null) =>
            new($"{call.Method} /{call.Path} {what}", late, again, attempts, call.Key, inner);

        using var late = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        // A timer takes at most 49 days.
        if (limit < TimeSpan.FromDays(49)) late.CancelAfter(limit > TimeSpan.Zero ? limit : TimeSpan.FromMilliseconds(1));
        HttpResponseMessage response;
        byte[] text;
        try
        {
            using var request = RequestOf(call);
            response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, late.Token);
            using (response) text = await response.Content.ReadAsByteArrayAsync(late.Token);
        }
        catch (OperationCanceledException inner) when (!cancel.IsCancellationRequested)
        {
            throw Failure("was not answered in time", call.Repeatable, late: true, inner);
        }
        catch (Exception inner) when (inner is HttpRequestException or IOException)
        {
            throw Failure($"was not answered ({inner.GetBaseException().Message})", call.Repeatable, inner: inner);
        }

        var status = (int)response.StatusCode;
        if (status == 304) return new(response.StatusCode, response.Headers, default!);
        if (status < 300)
        {
            if (Parsed<Envelope<T>>(text) is { } whole) return new(response.StatusCode, response.Headers, whole.Data);
            throw Failure("had an answer that was cut", call.Repeatable);
        }
        if (Parsed<ErrorBody>(text) is not { Code: not null, Retryable: not null } body)
        {
            var again = status == 429 || (call.Repeatable && Proxy.Contains(status));
            var what = $"{call.Method} /{call.Path} had status {status} without a body of the service";
            throw new NoAnswerException(what, timedOut: false, again, attempts, call.Key, null)
            {
                RetryAfter = RetryAfterOf(response.Headers),
            };
        }
        throw new ApiException(status, body, RetryAfterOf(response.Headers), attempts, call.Key);
    }

    private static HttpRequestMessage RequestOf(Call call)
    {
        var request = new HttpRequestMessage(call.Method, call.Path);
        if (call.Key != null) request.Headers.Add("Idempotency-Key", call.Key);
        if (call.Etag != null) request.Headers.TryAddWithoutValidation("If-None-Match", call.Etag);
        if (call.WaitSeconds > 0) request.Headers.Add("Prefer", $"wait={call.WaitSeconds}");
        // HttpClient itself repeats a request without content that was not answered, also a POST: content prevents it.
        var content = call.Body == null ? [] : JsonSerializer.SerializeToUtf8Bytes(call.Body, Json);
        if (content.Length > MaxBytes)
        {
            var what = $"The request has more than {MaxBytes} bytes.";
            var refusal = new ErrorBody("SVC_PAYLOAD_TOO_LARGE", what, false, null, null);
            throw new ApiException(413, refusal, TimeSpan.Zero, 0, call.Key);
        }
        request.Content = new ByteArrayContent(content);
        if (call.Body != null) request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        return request;
    }

    internal static T? Parsed<T>(ReadOnlySpan<byte> text) where T : class
    {
        try
        {
            return JsonSerializer.Deserialize<T>(text, Json);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static TimeSpan RetryAfterOf(HttpResponseHeaders headers)
    {
        var given = headers.RetryAfter;
        var time = given?.Delta ?? given?.Date - DateTimeOffset.UtcNow ?? TimeSpan.Zero;
        return time > TimeSpan.Zero ? time : TimeSpan.Zero;
    }

    private sealed record Envelope<T>(T Data);

    [GeneratedRegex(@"\A[\x21-\x7e]+\z")]
    private static partial Regex PrintableAscii();

    [GeneratedRegex(@"(/v1)?/?\z")]
    private static partial Regex Version();
}
