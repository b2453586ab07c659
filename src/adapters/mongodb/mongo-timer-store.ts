import type { WithId } from 'mongodb';
import type { Timer } from '../../kernel/process.js';
import type { Instant } from '../../kernel/time.js';
import { TimerStore } from '../../ports/timer-store.port.js';
import { timersView } from '../../event-sourcing/timers/timers.projection.js';
import type { ViewReaders } from './view-readers.js';
import { askedFields, keysOf, parsed, type ViewRow } from './view-rows.js';

const FIELDS = askedFields(timersView);
const BY_DUE_TIME = { 'keys.due_at': 1, birth: 1 } as const;
const isNone = (rows: readonly unknown[]) => rows.length === 0;

export class MongoTimerStore extends TimerStore {
  /** Revisions identify the arming events, so that documents need no second read. */
  private readonly revisions = new WeakMap<Timer, number>();

  constructor(private readonly readers: ViewReaders) {
    super();
  }

  async due(now: Instant, limit: number): Promise<readonly Timer[]> {
    const filter = { 'keys.due_at': { $lte: now }, birth: { $gt: '' } };
    const rows = await this.earliest(filter, limit);
    return rows.map((row) => {
      const timer = parsed<Timer>(row.document)!;
      this.revisions.set(timer, row.revision);
      return timer;
    });
  }

  async next(): Promise<Instant | undefined> {
    const [row] = await this.earliest({ 'keys.due_at': { $gt: '' }, birth: { $gt: '' } }, 1);
    return row?.keys?.due_at as Instant | undefined;
  }

  async defer(timer: Timer, due: Instant): Promise<void> {
    const revision = this.revisions.get(timer) ?? (await this.armedAt(timer));
    if (revision === undefined) return;
    const deferred = { ...timer, due_at: due };
    const change = { keys: keysOf(deferred, FIELDS), document: JSON.stringify(deferred) };
    await this.readers.ask(
      timersView,
      (rows) => rows.updateOne({ _id: timer.id, revision }, { $set: change }),
      ({ matchedCount }) => matchedCount === 0,
    );
  }

  private earliest(filter: object, limit: number): Promise<WithId<ViewRow>[]> {
    return this.readers.ask(
      timersView,
      (rows) => rows.find(filter, { sort: BY_DUE_TIME, limit, batchSize: limit + 1 }).toArray(),
      isNone,
    );
  }

  /** Revision of the timer if it is still armed by the same event. */
  private async armedAt({ id, armed_by }: Timer): Promise<number | undefined> {
    const row = await this.readers.ask(
      timersView,
      (rows) => rows.findOne({ _id: id }),
      (found) => found === null,
    );
    return parsed<Timer>(row?.document)?.armed_by === armed_by ? row?.revision : undefined;
  }
}
