import type { Position } from '../../kernel/recorded-event.js';
import type { Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import { ReadProgress } from '../../ports/read-progress.port.js';
import type { MemoryReadStore } from './memory-read-store.js';

export class MemoryReadProgress extends ReadProgress {
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly store: MemoryReadStore,
    private readonly clock: Clock,
  ) {
    super();
    store.onMoved(() => this.waiting.forEach((look) => look()));
  }

  shown(): Position | undefined {
    return this.store.state?.position;
  }

  waitFor(position: Position, ms: Milliseconds): Promise<boolean> {
    const isShown = () => (this.shown() ?? '') >= position;
    if (isShown()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (shown: boolean) => {
        cancel();
        this.waiting.delete(look);
        resolve(shown);
      };
      const look = () => isShown() && end(true);
      const cancel = this.clock.after(ms, () => end(isShown()));
      this.waiting.add(look);
    });
  }
}
