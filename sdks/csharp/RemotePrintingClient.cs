using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text.Json;

namespace RemotePrinting;

/// <summary>
/// The Integration API, for one account. Methods return <c>data</c> of the answer and throw
/// <see cref="RemotePrintingException"/>. Thread-safe; use one for the life of the program.
/// </summary>
public sealed class RemotePrintingClient : IDisposable
{
    private const int WaitSeconds = 25;
    /// <summary>Ids remembered while offsets shift.</summary>
    private const int Remembered = 1_000;
    private readonly Transport transport;

    /// <param name="apiKey">`svc_live_…`, of one account</param>
    /// <param name="baseUrl">address of the service, with or without /v1</param>
    /// <param name="options">time limits and repeats</param>
    public RemotePrintingClient(string apiKey, string baseUrl, RemotePrintingOptions? options = null)
    {
        transport = new Transport(apiKey, baseUrl, options ?? new RemotePrintingOptions());
        Jobs = new Jobs(transport);
    }

    public Jobs Jobs { get; }

    public void Dispose() => transport.Dispose();

    public Task<JsonElement> GetAccountAsync(CancellationToken cancel = default) =>
        RequestAsync(HttpMethod.Get, "svc-api-account", null, cancel);

    /// <summary>Null fields of the filter are left out; limit is that of a page.</summary>
    public IAsyncEnumerable<Computer> ListComputersAsync(
        string? status = null, int? limit = null, CancellationToken cancel = default) =>
        ListAsync<Computer>(transport, "svc-api-computers", it => it.ComputerId, [("status", status)], limit, cancel);

    public IAsyncEnumerable<Printer> ListPrintersAsync(
        string? computerId = null, string? status = null, int? limit = null, CancellationToken cancel = default) =>
        ListAsync<Printer>(
            transport, "svc-api-printers", it => it.PrinterId, [("computer_id", computerId), ("status", status)], limit, cancel);

    /// <summary>Prints a test page.</summary>
    public Task<JsonElement> TestPrinterAsync(string printerId, CancellationToken cancel = default) =>
        RequestAsync(HttpMethod.Post, $"svc-api-printers/{Uri.EscapeDataString(printerId)}/test", null, cancel);

    /// <summary>Any other operation. Only a GET is repeated after a lost answer.</summary>
    /// <param name="method">GET or POST</param>
    /// <param name="path">below /v1, without a slash before it</param>
    /// <param name="body">serialized with its names in snake_case</param>
    /// <param name="cancel">ends the call</param>
    public async Task<JsonElement> RequestAsync(
        HttpMethod method, string path, object? body = null, CancellationToken cancel = default) =>
        (await transport.SendAsync<JsonElement>(new Call(method, path) { Body = body }, cancel)).Data;

    /// <summary>What has changed in the account, each event once and in order.</summary>
    /// <param name="after">while the store is empty: a cursor, or "now"; null: from the first event ever</param>
    /// <param name="store">gets the cursor of a page once the next item is asked for: its items are worked off then</param>
    /// <param name="eventTypes">null: all that the scopes show</param>
    /// <param name="pageSize">1 to 1,000; null: 100</param>
    /// <param name="follow">false: ends after the last event of this moment; true: waits for further events, also through an outage</param>
    /// <param name="cancel">ends the iteration</param>
    /// <exception cref="ApiException">409: the service was restored and has lost the event of the cursor</exception>
    public async IAsyncEnumerable<Change> FollowChangesAsync(
        string? after = null,
        ICursorStore? store = null,
        IEnumerable<string>? eventTypes = null,
        int? pageSize = null,
        bool follow = true,
        [EnumeratorCancellation] CancellationToken cancel = default)
    {
        var cursor = (store == null ? null : await store.LoadAsync(cancel)) ?? after;
        var types = eventTypes == null ? null : string.Join(',', eventTypes);
        for (var idle = 0; ;)
        {
            var asked = Stopwatch.StartNew();
            var query = QueryOf([("after", cursor), ("limit", pageSize?.ToString()), ("event_types", types)]);
            var call = new Call(HttpMethod.Get, $"svc-api-changes{query}")
            {
                WaitSeconds = follow ? WaitSeconds : 0,
                Timeout = Transport.WaitingAttempt,
                Patience = follow ? TimeSpan.MaxValue : TimeSpan.Zero,
            };
            var answer = await transport.SendAsync<ChangePage?>(call, cancel);
            if (answer.Data is { } page)
            {
                foreach (var item in page.Items) yield return item;
                if (page.NextCursor != cursor)
                {
                    cursor = page.NextCursor;
                    if (store != null) await store.SaveAsync(cursor, cancel);
                    idle = 0;
                    if (follow || page.HasMore) continue;
                }
            }
            if (!follow) yield break;
            await transport.Delay(Transport.PauseOf(idle++, asked), cancel);
        }
    }

    /// <summary>Gives no item twice, although one created meanwhile moves the pages.</summary>
    internal static async IAsyncEnumerable<T> ListAsync<T>(
        Transport transport,
        string path,
        Func<T, string> idOf,
        IReadOnlyList<(string, string?)> filter,
        int? limit,
        [EnumeratorCancellation] CancellationToken cancel)
    {
        var (seen, order) = (new HashSet<string>(), new Queue<string>());
        for (int? offset = null; ;)
        {
            var query = QueryOf([.. filter, ("limit", limit?.ToString()), ("offset", offset?.ToString())]);
            var page = (await transport.SendAsync<OffsetPage<T>>(new Call(HttpMethod.Get, path + query), cancel)).Data;
            foreach (var item in page.Items)
            {
                if (!seen.Add(idOf(item))) continue;
                order.Enqueue(idOf(item));
                if (order.Count > Remembered) seen.Remove(order.Dequeue());
                yield return item;
            }
            offset = page.Offset + page.Items.Count;
            if (page.Items.Count == 0 || offset >= page.Total) yield break;
        }
    }

    internal static string QueryOf(IReadOnlyList<(string Name, string? Value)> fields)
    {
        var given = fields.Where(it => it.Value != null).Select(it => $"{it.Name}={Uri.EscapeDataString(it.Value!)}");
        var query = string.Join('&', given);
        return query == "" ? "" : $"?{query}";
    }
}
