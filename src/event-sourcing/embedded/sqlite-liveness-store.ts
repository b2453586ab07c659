import type { Instant, Milliseconds, Clock } from '../../kernel/time.js';
import { LivenessStore } from '../ports/liveness-store.port.js';
import type { Connection } from './connection.js';
import type { WriterClient } from './writer-client.js';

/** Writes in batches: a crash loses at most one flush interval. */
export class SqliteLivenessStore extends LivenessStore {
  private readonly heartbeats: Map<string, Instant>;
  private readonly changed = new Set<string>();
  private cancelFlush: (() => void) | undefined;

  constructor(
    reader: Connection,
    private readonly writer: WriterClient,
    private readonly clock: Clock,
    private readonly flushMs: Milliseconds,
  ) {
    super();
    this.heartbeats = new Map(reader.prepare('SELECT key, at FROM beats').raw().all() as [string, Instant][]);
  }

  async recordHeartbeat(keys: readonly string[], at: Instant): Promise<void> {
    for (const key of keys) {
      this.heartbeats.set(key, at);
      this.note(key);
    }
  }

  async lastHeartbeats(keys: readonly string[]): Promise<readonly (Instant | undefined)[]> {
    return keys.map((key) => this.heartbeats.get(key));
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) if (this.heartbeats.delete(key)) this.note(key);
  }

  async flush(): Promise<void> {
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    if (this.changed.size === 0) return;
    const changed = [...this.changed].map((key) => [key, this.heartbeats.get(key)] as const);
    this.changed.clear();
    const [kept, forgotten] = [true, false].map((isKept) =>
      changed.filter(([, at]) => (at !== undefined) === isKept),
    );
    await Promise.all([
      this.writer.write('INSERT OR REPLACE INTO beats (key, at) VALUES (?, ?)', kept!),
      this.writer.write(
        'DELETE FROM beats WHERE key = ?',
        forgotten!.map(([key]) => [key]),
      ),
    ]);
  }

  private note(key: string): void {
    this.changed.add(key);
    this.cancelFlush ??= this.clock.after(this.flushMs, () => {
      // The writer reports its failure to the process itself, once.
      this.flush().catch(() => undefined);
    });
  }
}
