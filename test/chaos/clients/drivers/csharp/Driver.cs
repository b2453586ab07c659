// Drives the C# SDK: reads commands as lines of JSON, and answers each with a line.

using System.Collections.Concurrent;
using System.Text.Json;
using System.Text.Json.Nodes;
using RemotePrinting;

for (string? line; (line = Console.ReadLine()) != null;)
{
    Console.WriteLine((await Driver.AnswerAsync(JsonNode.Parse(line)!)).ToJsonString());
}

internal static class Driver
{
    public static async Task<JsonObject> AnswerAsync(JsonNode command)
    {
        var pauses = new ConcurrentQueue<double>();
        var answer = new JsonObject();
        try
        {
            answer["result"] = await ResultAsync(command, pauses);
        }
        catch (WebhookVerificationException error)
        {
            var reason = JsonNamingPolicy.SnakeCaseLower.ConvertName(error.Reason.ToString());
            answer["error"] = new JsonObject { ["kind"] = "webhook", ["reason"] = reason };
        }
        catch (ArgumentException)
        {
            answer["error"] = new JsonObject { ["kind"] = "argument" };
        }
        catch (RemotePrintingException error)
        {
            answer["error"] = ErrorOf(error);
        }
        answer["pauses"] = new JsonArray([.. pauses.Select(it => (JsonNode)it)]);
        return answer;
    }

    private static async Task<JsonNode> ResultAsync(JsonNode command, ConcurrentQueue<double> pauses)
    {
        var what = (string)command["do"]!;
        if (what == "verify") return Verify(command);
        using var client = ClientOf(command, pauses);
        return what switch
        {
            "call" => await CallAsync(command, client),
            "changes" => await ChangesAsync(command, client),
            _ => await CreateManyAsync(command, client),
        };
    }

    private static RemotePrintingClient ClientOf(JsonNode command, ConcurrentQueue<double> pauses)
    {
        var options = new RemotePrintingOptions
        {
            MaxRetries = (int?)command["max_retries"] ?? 3,
            Timeout = TimeSpan.FromSeconds((double?)command["timeout"] ?? 30),
            Deadline = command["deadline"] is { } given ? TimeSpan.FromSeconds((double)given) : null,
            Delay = (time, _) =>
            {
                pauses.Enqueue(time.TotalSeconds);
                return Task.CompletedTask;
            },
        };
        return new((string?)command["api_key"] ?? "svc_live_secret", (string)command["base_url"]!, options);
    }

    private static async Task<JsonNode> CallAsync(JsonNode command, RemotePrintingClient client)
    {
        var jobs = client.Jobs;
        var given = command["arguments"] ?? new JsonObject();
        var (id, key) = ((string?)given["job_id"] ?? "", (string?)command["key"]);
        switch ((string)command["operation"]!)
        {
            case "test":
                return JsonSerializer.SerializeToNode(await client.TestPrinterAsync((string)given["printer_id"]!))!;
            case "create":
                var job = new NewJob((string)given["printer_id"]!, Content.Text((string)given["text"]!));
                return SubmittedOf(await jobs.CreateAsync(job, key));
            case "retry":
                return SubmittedOf(await jobs.RetryAsync(id, "paper was out", key));
            case "reprint":
                return SubmittedOf(await jobs.ReprintAsync(id, null, key));
            case "get":
                return JobOf(await jobs.GetAsync(id));
            case "cancel":
                return JobOf(await jobs.CancelAsync(id, "ordered twice"));
            case "list":
                var ids = new JsonArray();
                await foreach (var each in jobs.ListAsync((string?)given["status"], limit: (int?)given["limit"]))
                    ids.Add(each.JobId);
                return ids;
        }
        var seen = new JsonArray();
        var timeout = given["timeout"] is { } limit ? TimeSpan.FromSeconds((double)limit) : (TimeSpan?)null;
        var ended = await jobs.WaitAsync(id, timeout, it => seen.Add(it.Status));
        var outcome = JsonNamingPolicy.SnakeCaseLower.ConvertName(ended.Outcome.ToString());
        return new JsonObject { ["outcome"] = outcome, ["status"] = ended.Job.Status, ["seen"] = seen };
    }

    private static async Task<JsonNode> ChangesAsync(JsonNode command, RemotePrintingClient client)
    {
        var store = new MemoryCursor((string?)command["stored"]);
        var items = new JsonArray();
        var after = (string?)command["after"];
        await foreach (var item in client.FollowChangesAsync(after, store, follow: (bool)command["follow"]!))
        {
            items.Add(item.EventId);
            if (items.Count == (int?)command["take"]) break;
        }
        return new JsonObject { ["items"] = items, ["saved"] = new JsonArray([.. store.Saved.Select(it => (JsonNode)it)]) };
    }

    private static async Task<JsonNode> CreateManyAsync(JsonNode command, RemotePrintingClient client)
    {
        var ids = new ConcurrentBag<string>();
        var printer = (string)command["printer_id"]!;
        var numbers = Enumerable.Range(0, (int)command["count"]!);
        await Parallel.ForEachAsync(numbers, new ParallelOptions { MaxDegreeOfParallelism = 8 }, async (number, cancel) =>
        {
            var job = new NewJob(printer, Content.Text($"Receipt {number}"));
            ids.Add((await client.Jobs.CreateAsync(job, cancel: cancel)).Job.JobId);
        });
        return new JsonObject { ["job_ids"] = new JsonArray([.. ids.Select(it => (JsonNode)it)]) };
    }

    private static JsonObject Verify(JsonNode command)
    {
        var headers = command["headers"]!.AsObject()
            .ToDictionary(it => it.Key, it => (string)it.Value!, StringComparer.OrdinalIgnoreCase);
        var change = Webhook.Verify(
            Convert.FromBase64String((string)command["body"]!),
            name => headers.GetValueOrDefault(name),
            [.. command["secrets"]!.AsArray().Select(it => (string)it!)],
            TimeSpan.FromSeconds((double)command["tolerance"]!),
            DateTimeOffset.FromUnixTimeSeconds((long)command["now"]!));
        return new JsonObject { ["event_type"] = change.EventType };
    }

    private static JsonObject JobOf(PrintJob job) => new() { ["job_id"] = job.JobId, ["status"] = job.Status };

    private static JsonObject SubmittedOf(Submitted outcome)
    {
        var job = JobOf(outcome.Job);
        job["replayed"] = outcome.Replayed;
        job["restored_from"] = outcome.RestoredFrom?.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.fffZ");
        return job;
    }

    private static JsonObject ErrorOf(RemotePrintingException error)
    {
        var facts = new JsonObject
        {
            ["kind"] = error is ApiException ? "api" : error is NoAnswerException ? "no_answer" : "wait_timeout",
            ["attempts"] = error.Attempts,
            ["key"] = error.IdempotencyKey,
            ["message"] = error.Message,
            ["text"] = error.ToString(),
        };
        if (error is ApiException api)
            (facts["status"], facts["code"], facts["retryable"]) = (api.Status, api.Code, api.Retryable);
        return facts;
    }
}

internal sealed class MemoryCursor(string? stored) : ICursorStore
{
    public List<string> Saved { get; } = [];

    public Task<string?> LoadAsync(CancellationToken cancel) => Task.FromResult(stored);

    public Task SaveAsync(string cursor, CancellationToken cancel)
    {
        Saved.Add(cursor);
        return Task.CompletedTask;
    }
}
