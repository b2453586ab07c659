import { MemoryEventStore } from '../../src/adapters/memory/memory-event-store.js';
import type { MemoryViews } from '../../src/adapters/memory/memory-views.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';

/** An event store whose read models follow only when somebody waits for them, or calls `catchUp`. */
export class LaggingEventStore extends MemoryEventStore {
  private unshownYet: RecordedEvent[] = [];

  constructor(private readonly views: MemoryViews) {
    super((events) => void this.unshownYet.push(...events));
  }

  override async unshown(): Promise<readonly RecordedEvent[]> {
    return [...this.unshownYet];
  }

  override async allShown(): Promise<void> {
    this.catchUp();
  }

  catchUp(): void {
    const events = this.unshownYet;
    this.unshownYet = [];
    this.views.project(events);
  }
}
