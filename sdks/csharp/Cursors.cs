namespace RemotePrinting;

/// <summary>Keeps a cursor, so that a reader goes on after a restart.</summary>
public interface ICursorStore
{
    Task<string?> LoadAsync(CancellationToken cancel);
    Task SaveAsync(string cursor, CancellationToken cancel);
}

/// <summary>A cursor in a file, which is replaced as a whole.</summary>
public sealed class FileCursor(string path) : ICursorStore
{
    public async Task<string?> LoadAsync(CancellationToken cancel)
    {
        if (!File.Exists(path)) return null;
        var text = (await File.ReadAllTextAsync(path, cancel)).Trim();
        return text == "" ? null : text;
    }

    public async Task SaveAsync(string cursor, CancellationToken cancel)
    {
        await File.WriteAllTextAsync($"{path}.new", cursor, cancel);
        File.Move($"{path}.new", path, overwrite: true);
    }
}
