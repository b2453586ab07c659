import type { Instant } from '../../kernel/time.js';
import { LivenessStore } from '../../ports/liveness-store.port.js';

export class MemoryLivenessStore extends LivenessStore {
  private readonly heartbeats = new Map<string, Instant>();

  async recordHeartbeat(keys: readonly string[], at: Instant): Promise<void> {
    for (const key of keys) this.heartbeats.set(key, at);
  }

  async lastHeartbeats(keys: readonly string[]): Promise<readonly (Instant | undefined)[]> {
    return keys.map((key) => this.heartbeats.get(key));
  }

  async forget(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.heartbeats.delete(key);
  }

  async sweep(before: Instant): Promise<void> {
    for (const [key, at] of this.heartbeats) if (at < before) this.heartbeats.delete(key);
  }
}
