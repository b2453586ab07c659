import type { Instant } from '../../kernel/time.js';
import { OperationalStore } from '../../ports/operational-store.port.js';

export class MemoryOperationalStore extends OperationalStore {
  private readonly beats = new Map<string, Instant>();

  async beat(keys: readonly string[], at: Instant): Promise<void> {
    for (const key of keys) this.beats.set(key, at);
  }

  async lastBeats(keys: readonly string[]): Promise<readonly (Instant | undefined)[]> {
    return keys.map((key) => this.beats.get(key));
  }

  async forget(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.beats.delete(key);
  }

  async sweep(before: Instant): Promise<void> {
    for (const [key, at] of this.beats) if (at < before) this.beats.delete(key);
  }
}
