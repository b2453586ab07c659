import { Injectable } from '@nestjs/common';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import { idOf } from '../../kernel/ids.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { Clock } from '../../ports/clock.port.js';
import { EventStore } from '../../ports/event-store.port.js';
import { Waiters, type Waiter } from '../../event-sourcing/waiters.js';

/** Events after which a computer may have work that it did not have before. */
const WORK = new Set([
  'JobQueued',
  'JobRequeued',
  'LeaseLapsed',
  'LeaseReleased',
  'PrinterCameOnline',
  'AccountResumed',
]);

/** Wakes the long polls of agents when there may be work. Losing a ring costs one poll interval, nothing else. */
@Injectable()
export class WorkBell {
  private readonly polls: Waiters;
  private readonly unsubscribe: () => void;

  constructor(
    events: EventStore,
    clock: Clock,
    private readonly jobs: JobQueries,
  ) {
    this.polls = new Waiters(clock);
    this.unsubscribe = events.onAppended((appended) => {
      // Whose work it is could not be found out: then it may be anybody's.
      this.ring(appended).catch(() => this.polls.wakeAll());
    });
  }

  /** Open it before looking for work. */
  open(computerId: string): Waiter {
    return this.polls.open(computerId);
  }

  /** Polls waiting now. */
  get waiting(): number {
    return this.polls.size;
  }

  /** Ends all waiting polls, without work: the service stops. */
  silence(): void {
    this.unsubscribe();
    this.polls.closeAll();
  }

  private async ring(appended: readonly RecordedEvent[]): Promise<void> {
    if (this.polls.size === 0) return;
    const created = new Map<string, string>();
    for (const event of appended) {
      if (event.type === 'JobCreated')
        created.set(event.stream, (event.data as { computerId: string }).computerId);
      if (!WORK.has(event.type)) continue;
      const computerId = await this.computerOf(event, created);
      if (computerId === undefined) this.polls.wakeAll();
      else this.polls.wake(computerId);
    }
  }

  /** Whose work it is; undefined when it may be anybody's. */
  private async computerOf(
    event: RecordedEvent,
    created: ReadonlyMap<string, string>,
  ): Promise<string | undefined> {
    if (event.type === 'PrinterCameOnline') return idOf(event.stream);
    if (event.type === 'AccountResumed') return undefined;
    return created.get(event.stream) ?? this.jobs.computerOf(idOf(event.stream));
  }
}
