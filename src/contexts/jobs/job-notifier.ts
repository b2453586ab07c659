import { Inject, Injectable } from '@nestjs/common';
import { idOf } from '../../kernel/ids.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { Clock } from '../../kernel/time.js';
import { Waiters, type Waiter } from '../../async/waiters.js';
import { computers, type ComputerEventData } from '../devices/index.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { EventStore, AggregateStore } from '../../event-sourcing/index.js';

/** Events that may give a computer new work. */
const WORK = new Set([
  'JobQueued',
  'JobRequeued',
  'JobMoved',
  'LeaseLapsed',
  'LeaseReleased',
  'PrinterCameOnline',
  'PrinterUpdated',
  'AccountResumed',
]);

/** Events that may free a lease for a computer at its limit. */
const ROOM = new Set([
  'HandoffStarted',
  'LeaseInvalidated',
  'JobFailed',
  'JobExpired',
  'JobCompleted',
  'ManualReviewOpened',
]);

interface Busy {
  readonly sessionId: string;
  readonly printerKeys: readonly string[];
}

/** Wakes the long polls of agents. A lost notification costs one poll interval. */
@Injectable()
export class JobNotifier {
  private readonly polls: Waiters;
  /** Computers whose last poll without work met a limit. */
  private readonly full = new Set<string>();
  /** Local to this instance, so agents name busy printers in every lease call. */
  private readonly busy = new Map<string, Busy>();
  private readonly unsubscribe: () => void;

  constructor(
    events: EventStore,
    clock: Clock,
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
  ) {
    this.polls = new Waiters(clock);
    this.unsubscribe = events.listen({
      types: new Set(['JobCreated', 'ComputerRevoked', ...WORK, ...ROOM]),
      // The computer is unknown if its job cannot be read: wake all.
      appended: (events) => void this.notify(events).catch(() => this.polls.wakeAll()),
    });
  }

  /** Call before querying for work. */
  open(computerId: string): Waiter {
    return this.polls.open(computerId);
  }

  /** True if a lease may have ended since the last query, so query again. */
  setFull(computerId: string, full: boolean): boolean {
    if (!full) this.full.delete(computerId);
    return full && this.full.size < this.full.add(computerId).size;
  }

  /** Also applies to open polls. Older agents name none. */
  setBusy(computerId: string, sessionId: string, printerKeys: readonly string[] = []): void {
    const changed = this.busy.delete(computerId) || printerKeys.length > 0;
    if (printerKeys.length > 0) this.busy.set(computerId, { sessionId, printerKeys });
    if (changed) this.polls.wake(computerId);
  }

  busyOf(computerId: string, sessionId: string): readonly string[] {
    const busy = this.busy.get(computerId);
    return busy?.sessionId === sessionId ? busy.printerKeys : [];
  }

  get waiting(): number {
    return this.polls.size;
  }

  close(): void {
    this.unsubscribe();
    this.polls.closeAll();
  }

  private async notify(appended: readonly RecordedEvent[]): Promise<void> {
    if (this.polls.size === 0) return;
    const created = new Map<string, string>();
    for (const event of appended) {
      if (event.type === 'JobCreated' || event.type === 'JobMoved')
        created.set(event.stream, (event.data as { computerId: string }).computerId);
      if (event.type === 'ComputerRevoked') void this.endPoll(idOf(event.stream));
      if (event.type === 'PrinterUpdated' && !resumes(event)) continue;
      const isRoom = this.full.size > 0 && ROOM.has(event.type);
      if (!isRoom && !WORK.has(event.type)) continue;
      const computerId = await this.computerOf(event, created);
      if (isRoom && !this.full.has(computerId!)) continue;
      if (computerId === undefined) this.polls.wakeAll();
      else this.polls.wake(computerId);
    }
  }

  /** After the command that revokes the computer, because its state is known only then. */
  private async endPoll(computerId: string): Promise<void> {
    await this.aggregates.inTurn(computers, computerId, async () => undefined).catch(() => undefined);
    this.polls.wake(computerId);
  }

  private async computerOf(
    { type, stream }: RecordedEvent,
    created: ReadonlyMap<string, string>,
  ): Promise<string | undefined> {
    if (type === 'PrinterCameOnline' || type === 'PrinterUpdated') return idOf(stream);
    if (type === 'AccountResumed') return undefined;
    return created.get(stream) ?? (await this.aggregates.load(this.job, idOf(stream))).state.computerId;
  }
}

/** The end of a pause; no other change of a printer gives work. */
function resumes({ data }: RecordedEvent): boolean {
  const { changes } = data as unknown as ComputerEventData['PrinterUpdated'];
  return changes.paused === false;
}
