import { randomBytes } from 'node:crypto';
import { projectionsFor } from '../../src/app/projections.js';
import type { Position, RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import { Faults } from './faults.js';
import { ManualClock } from './manual-clock.js';
import { startTestService, type TestService, type TestServiceOptions } from './service.js';
import { openTestStores } from './stores.js';

const ALL = 100_000;

/** A service whose store can be rolled back, as by putting back a copy of its folder. */
export interface RollableService extends TestService {
  readonly faults: Faults<Stores['events']>;
  /** Position of the newest event, for a later rollback. */
  head(): Promise<Position>;
  /** Restarts the service with the events up to `head`; `renumber` changes their positions. */
  goBackTo(head: Position, options?: { readonly renumber?: boolean }): Promise<void>;
  everything(): Promise<readonly RecordedEvent[]>;
}

export async function startRollableService(): Promise<RollableService> {
  const clock = new ManualClock();
  const env = { SVC_MASTER_KEY: randomBytes(32).toString('base64') };
  let faults!: Faults<Stores['events']>;
  const start = (events: readonly RecordedEvent[]) => {
    const stores: TestServiceOptions['stores'] = async (config) => {
      const opened = openTestStores({ projections: projectionsFor(config) });
      await fill(opened, events);
      faults = new Faults(opened.events);
      return { ...opened, events: faults.port };
    };
    return startTestService({ env, clock, stores });
  };
  let current = await start([]);
  const everything = () => current.stores.events.readAll({ max: ALL });
  const rolling = {
    get faults() {
      return faults;
    },
    head: async () => (await current.stores.events.head())!,
    everything,
    async goBackTo(head: Position, { renumber = false } = {}) {
      const kept = (await everything()).filter(({ position }) => position <= head);
      await current.close();
      current = await start(renumber ? byStream(kept) : kept);
    },
  };
  return new Proxy(rolling, {
    get: (own, name) => Reflect.get(name in own ? own : current, name) as unknown,
  }) as unknown as RollableService;
}

/** Orders events by stream, as a move to other stores may do. */
function byStream(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const streams = [...new Set(events.map(({ stream }) => stream))].sort();
  return streams.flatMap((name) => events.filter(({ stream }) => stream === name));
}

/** Appends copies of these events. */
export async function fill(
  { events: store }: { readonly events: Pick<Stores['events'], 'append'> },
  events: readonly RecordedEvent[],
): Promise<void> {
  for (const { stream, revision, id, type, data, metadata } of events) {
    const expected = revision === 0 ? 'no_stream' : revision - 1;
    await store.append({ stream, expected, events: [{ id, type, data, metadata }] });
  }
}
