import { ManualClock } from './manual-clock.js';
import { metadata, NOON } from './recorded.js';
import { idOf } from '../../src/kernel/ids.js';
import { schedule, unschedule, type KeptAlive, type Process } from '../../src/kernel/process.js';
import type { AnyProjection, Projection, ViewDefinition } from '../../src/kernel/projection.js';
import { plus, type Instant } from '../../src/kernel/time.js';
import type { ExpectedRevision } from '../../src/kernel/errors.js';
import type { NewEvent } from '../../src/event-sourcing/ports/event-store.port.js';
import type {
  RangeQuery,
  ViewStore,
  VolatileChange,
} from '../../src/event-sourcing/ports/view-store.port.js';
import { DueTimers } from '../../src/event-sourcing/timers/due-timers.js';
import { TimerLoop } from '../../src/event-sourcing/timers/timer-loop.js';
import {
  TIMERS_APART,
  timersProjection,
  withTimers,
  type TimedView,
} from '../../src/event-sourcing/timers/timers.projection.js';
import { openTestStores } from './stores.js';

type Reminder =
  | { type: 'Armed'; data: { due: Instant; keptAlive?: KeptAlive } }
  | { type: 'LimitSet'; data: { due: Instant } }
  | { type: 'Done' | 'Read'; data: Record<string, never> };

const reminder: Process<Reminder> = {
  name: 'reminder',
  handles: ['Armed', 'Done'],
  react({ type, stream, data }) {
    const subject = idOf(stream);
    if (type === 'Done') return [unschedule(subject)];
    return type === 'Armed' ? [schedule(subject, data.due, {}, data.keptAlive)] : [];
  },
};

/** A second timer of the same subject. */
const limit: Process<Reminder> = {
  name: 'limit',
  handles: ['LimitSet', 'Done'],
  react: ({ type, stream, data }) => [
    type === 'LimitSet' ? schedule(idOf(stream), data.due) : unschedule(idOf(stream)),
  ],
};

const notes: Projection<{ id: string; sequence: number }, Reminder> = {
  view: { name: 'notes', version: 1, indexes: [{ fields: ['due_at'] }], volatileFields: ['due_at'] },
  handles: ['Armed', 'LimitSet', 'Done', 'Read'],
  keysOf: ({ stream }) => [idOf(stream)],
  apply: (note, { revision }, id) => ({ ...note, id, sequence: revision }),
};

/** Where timers are kept. */
export const HOMES: readonly TimerHome[] = [
  { name: 'documents of their own', projection: timersProjection([reminder, limit]), timed: TIMERS_APART },
  {
    name: 'the documents of their subjects',
    projection: withTimers(notes, [reminder, limit]),
    timed: { view: notes.view, subject: 'id', category: 'note' },
  },
];

interface TimerHome {
  readonly name: string;
  readonly projection: AnyProjection;
  readonly timed: TimedView;
}

export const at = (second: number) => plus(NOON, second * 1000);
/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

/** Counts the calls of the timer loop. */
class CountedViews implements Pick<ViewStore, 'range' | 'setVolatile'> {
  readonly calls = { due: 0, next: 0, defer: 0 };
  found = 0;
  isFailing = false;

  constructor(private readonly views: ViewStore) {}

  async range<D>(view: ViewDefinition, query: RangeQuery): Promise<readonly D[]> {
    this.calls[query.upTo === undefined ? 'next' : 'due']++;
    if (this.isFailing) throw new Error('the store cannot be read');
    const found = await this.views.range<D>(view, query);
    if (query.upTo !== undefined) this.found += found.length;
    return found;
  }

  setVolatile(view: ViewDefinition, change: VolatileChange): Promise<void> {
    this.calls.defer++;
    return this.views.setVolatile(view, change);
  }
}

/** A timer loop over stores in memory, with a clock to move; subjects are streams `note-<subject>`. */
export function timerWorld({ home = HOMES[0]!, ...options }: { parallel?: number; home?: TimerHome } = {}) {
  const clock = new ManualClock();
  const stores = openTestStores({ projections: [home.projection] });
  const timers = new CountedViews(stores.views);
  const due = new DueTimers(timers, stores.events, [home.timed], [reminder, limit]);
  const sent: string[] = [];
  const errors: unknown[] = [];
  let ids = 0;
  const event = ({ type, data }: Reminder): NewEvent => ({ id: `event-${ids++}`, type, data, metadata });
  const append = (subject: string, expected: ExpectedRevision, given: Reminder) =>
    stores.events.append({ stream: `note-${subject}`, expected, events: [event(given)] });
  const arm = (subject: string, second: number, keptAlive?: KeptAlive) =>
    append(subject, 'no_stream', {
      type: 'Armed',
      data: { due: at(second), ...(keptAlive && { keptAlive }) },
    });
  /** Arms the second timer of an armed subject. */
  const setLimit = (subject: string, second: number) =>
    append(subject, 0, { type: 'LimitSet', data: { due: at(second) } });
  /** An event of an armed subject that arms and disarms nothing. */
  const read = (subject: string) => append(subject, 0, { type: 'Read', data: {} });
  /** The command of a timer: done once, and nothing new afterwards. */
  const finish = async (subject: string): Promise<boolean> => {
    if ((await stores.events.load(`note-${subject}`)).length > 1) return false;
    await append(subject, 0, { type: 'Done', data: {} });
    return true;
  };
  const newLoop = (send: (subject: string) => Promise<boolean> = finish) =>
    new TimerLoop(
      due,
      stores.liveness,
      stores.events,
      clock,
      ({ process, subject }) => {
        sent.push(process === 'limit' ? `limit of ${subject}` : subject);
        return send(subject);
      },
      { ...options, onError: (error) => errors.push(error) },
    );
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settled();
  };
  return { clock, stores, timers, due, sent, errors, arm, setLimit, read, finish, newLoop, pass };
}
