/** source: ESConsts.CommitedEventsMemCacheLimit */
const LIMIT_BYTES = 8 * 1024 * 1024;

/** Ids of recent commits; forgets the oldest, and all of them on a restart. source: IndexWriter._committedEvents */
export class RecentIds {
  private readonly byId = new Map<string, { ordinal: number; stream: string }>();
  private bytes = 0;

  add(id: string, ordinal: number, stream: string): void {
    if (this.byId.has(id)) return; // source: PutRecord(throwOnDuplicate: false)
    this.byId.set(id, { ordinal, stream });
    this.bytes += sizeOf(stream);
    for (const [oldest, entry] of this.byId) {
      if (this.bytes <= LIMIT_BYTES) return;
      this.byId.delete(oldest);
      this.bytes -= sizeOf(entry.stream);
    }
  }

  find(id: string, stream: string): number | undefined {
    const found = this.byId.get(id);
    return found?.stream === stream ? found.ordinal : undefined;
  }

  clear(): void {
    this.byId.clear();
    this.bytes = 0;
  }
}

const sizeOf = (stream: string): number => 16 + 4 + 8 + 2 * stream.length;
