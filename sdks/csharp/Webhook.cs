using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace RemotePrinting;

/// <summary>Verifies deliveries of webhooks.</summary>
public static class Webhook
{
    /// <summary>Signed before the body, in this order and joined by dots.</summary>
    private static readonly string[] Signed =
        ["x-svc-timestamp", "x-svc-event-id", "x-svc-version", "x-svc-api-version", "x-svc-event-schema-version"];
    /// <summary>The second one is there for 24 hours after a rotation.</summary>
    private static readonly string[] Signatures = ["x-svc-signature", "x-svc-signature-previous"];
    private static readonly UTF8Encoding Utf8 = new(false, throwOnInvalidBytes: true);

    /// <summary>Verifies a delivery over its raw bytes, before they are parsed.</summary>
    /// <param name="body">as received</param>
    /// <param name="headers">gives the value of a header by its name in lower case, or null: <c>name => request.Headers[name]</c></param>
    /// <param name="secrets">`whsec_live_…`: one, or after a rotation both</param>
    /// <param name="tolerance">largest difference between the timestamp and now; null: five minutes</param>
    /// <param name="now">for tests</param>
    /// <exception cref="WebhookVerificationException">the delivery is not to be trusted</exception>
    public static Change Verify(
        ReadOnlySpan<byte> body,
        Func<string, string?> headers,
        IReadOnlyCollection<string> secrets,
        TimeSpan? tolerance = null,
        DateTimeOffset? now = null)
    {
        foreach (var name in Signed.Append(Signatures[0]))
        {
            if (headers(name) == null)
                throw new WebhookVerificationException(WebhookRefusal.MissingHeader, $"{name} is missing");
        }
        var seconds = (now ?? DateTimeOffset.UtcNow).ToUnixTimeMilliseconds() / 1000.0;
        if (!long.TryParse(headers(Signed[0]), NumberStyles.None, CultureInfo.InvariantCulture, out var timestamp)
            || Math.Abs(seconds - timestamp) > (tolerance ?? TimeSpan.FromMinutes(5)).TotalSeconds)
            throw new WebhookVerificationException(WebhookRefusal.Stale, "the timestamp is too far from now");
        byte[] message = [.. Encoding.UTF8.GetBytes(string.Join('.', Signed.Select(headers)) + "."), .. body];
        if (!IsSigned(message, Signatures.Select(it => headers(it) ?? ""), secrets))
            throw new WebhookVerificationException(WebhookRefusal.Signature, "no signature fits a secret");
        return EventOf(body);
    }

    private static bool IsSigned(byte[] message, IEnumerable<string> signatures, IEnumerable<string> secrets)
    {
        var given = signatures.Select(Encoding.UTF8.GetBytes).ToList();
        var signed = false;
        foreach (var secret in secrets.Where(it => !string.IsNullOrEmpty(it)))
        {
            var hash = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), message);
            var expected = Encoding.ASCII.GetBytes($"v1={Convert.ToHexString(hash).ToLowerInvariant()}");
            foreach (var signature in given) signed |= CryptographicOperations.FixedTimeEquals(signature, expected);
        }
        return signed;
    }

    private static Change EventOf(ReadOnlySpan<byte> body)
    {
        try
        {
            // Invalid UTF-8 is refused, not replaced.
            if (JsonSerializer.Deserialize<Change>(Utf8.GetString(body), Transport.Json) is { } change) return change;
        }
        catch (Exception error) when (error is JsonException or ArgumentException)
        {
            // The same answer as for another value.
        }
        throw new WebhookVerificationException(WebhookRefusal.Body, "the body is not an event");
    }
}
