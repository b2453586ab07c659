import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import { TestEventStore } from './stores.js';
import type { TestViews } from './views.js';

/** An event store whose views follow only when a caller waits for them, or calls `catchUp`. */
export class LaggingEventStore extends TestEventStore {
  private notProjected: RecordedEvent[] = [];

  constructor(private readonly views: TestViews) {
    super();
    this.listen({ appended: (events) => void this.notProjected.push(...events) });
  }

  override async unprojected(): Promise<readonly RecordedEvent[]> {
    return [...this.notProjected];
  }

  override async waitUntilProjected(): Promise<void> {
    this.catchUp();
  }

  catchUp(): void {
    const events = this.notProjected;
    this.notProjected = [];
    this.views.project(events);
  }
}
