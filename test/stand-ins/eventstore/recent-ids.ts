/** source: ESConsts.CommitedEventsMemCacheLimit */
const LIMIT_BYTES = 8 * 1024 * 1024;

interface Entry {
  readonly id: string;
  readonly ordinal: number;
  readonly stream: string;
}

/** Ids of recent commits; forgets the oldest, and all of them on a restart. source: IndexWriter._committedEvents */
export class RecentIds {
  private readonly byId = new Map<string, Entry>();
  /** In the order of their coming. What the oldest is follows from a place in here: a Map is slow to tell its first. */
  private queue: Entry[] = [];
  private oldest = 0;
  private bytes = 0;

  add(id: string, ordinal: number, stream: string): void {
    if (this.byId.has(id)) return; // source: PutRecord(throwOnDuplicate: false)
    const entry = { id, ordinal, stream };
    this.byId.set(id, entry);
    this.queue.push(entry);
    this.bytes += sizeOf(entry);
    while (this.bytes > LIMIT_BYTES) this.forgetOldest();
  }

  find(id: string, stream: string): number | undefined {
    const found = this.byId.get(id);
    return found?.stream === stream ? found.ordinal : undefined;
  }

  clear(): void {
    this.byId.clear();
    this.queue = [];
    this.oldest = 0;
    this.bytes = 0;
  }

  private forgetOldest(): void {
    const entry = this.queue[this.oldest]!;
    this.oldest += 1;
    this.byId.delete(entry.id);
    this.bytes -= sizeOf(entry);
    if (this.oldest < this.queue.length / 2) return;
    this.queue = this.queue.slice(this.oldest);
    this.oldest = 0;
  }
}

const sizeOf = ({ stream }: Entry): number => 16 + 4 + 8 + 2 * stream.length;
