import type { Instant, Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import { OperationalStore } from '../../ports/operational-store.port.js';
import type { Connection } from './connection.js';
import type { WriterClient } from './writer-client.js';

/** Signs of life in memory, written together now and then: a crash loses at most one interval of them. */
export class SqliteOperationalStore extends OperationalStore {
  private readonly beats: Map<string, Instant>;
  private readonly changed = new Set<string>();
  private cancelFlush: (() => void) | undefined;

  constructor(
    reader: Connection,
    private readonly writer: WriterClient,
    private readonly clock: Clock,
    private readonly flushMs: Milliseconds,
  ) {
    super();
    this.beats = new Map(reader.prepare('SELECT key, at FROM beats').raw().all() as [string, Instant][]);
  }

  async beat(keys: readonly string[], at: Instant): Promise<void> {
    for (const key of keys) {
      this.beats.set(key, at);
      this.note(key);
    }
  }

  async lastBeats(keys: readonly string[]): Promise<readonly (Instant | undefined)[]> {
    return keys.map((key) => this.beats.get(key));
  }

  async forget(keys: readonly string[]): Promise<void> {
    for (const key of keys) if (this.beats.delete(key)) this.note(key);
  }

  async sweep(before: Instant): Promise<void> {
    await this.forget([...this.beats].filter(([, at]) => at < before).map(([key]) => key));
  }

  /** Writes what has changed since the last time. */
  async flush(): Promise<void> {
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    if (this.changed.size === 0) return;
    const beats: [string, Instant][] = [];
    const forgotten: string[] = [];
    for (const key of this.changed) {
      const at = this.beats.get(key);
      if (at === undefined) forgotten.push(key);
      else beats.push([key, at]);
    }
    this.changed.clear();
    await this.writer.submit({ kind: 'note_beats', beats, forgotten }, () => undefined);
  }

  private note(key: string): void {
    this.changed.add(key);
    this.cancelFlush ??= this.clock.after(this.flushMs, () => {
      // A flush that fails is a writer that failed; that is told to the process once, by the writer.
      this.flush().catch(() => undefined);
    });
  }
}
