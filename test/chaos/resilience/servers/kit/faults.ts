import { isDeepStrictEqual } from 'node:util';
import type { Servers } from '../../../../kit/server-stores.js';
import type { Load } from './load.js';
import type { WatchedService } from './watched-service.js';

export interface During {
  readonly servers: Servers;
  readonly service: WatchedService;
  readonly workers: readonly WatchedService[];
  readonly load: Load;
}

/** A fault while clients and an agent work. The servers are healthy again when it resolves. */
export interface Fault {
  readonly name: string;
  readonly happens: (during: During) => Promise<void>;
}

/** Required number of answers with status 503. */
async function refused({ service, load }: During, times: number): Promise<void> {
  const before = service.refusals;
  await load.until(() => service.refusals >= before + times);
}

/** A store fails until clients were refused and readiness named it. */
function outage(
  store: 'event_store' | 'read_store',
  begin: (servers: Servers) => unknown,
  end: (servers: Servers) => unknown,
): Fault['happens'] {
  const expected = { event_store: 'ok', read_store: 'ok', [store]: 'failing' };
  return async (during) => {
    const { servers, service, load } = during;
    await begin(servers);
    try {
      const isNamed = async () => {
        const { event_store, read_store } = await service.checks();
        return isDeepStrictEqual({ event_store, read_store }, expected);
      };
      await Promise.all([refused(during, 3), load.until(isNamed)]);
    } finally {
      await end(servers);
    }
  };
}

/** Repeats a fault, with jobs in between. */
function repeatedly(times: number, jobs: number, what: (servers: Servers) => unknown): Fault['happens'] {
  return async ({ servers, load }) => {
    for (let n = 0; n < times; n++) {
      await what(servers);
      await load.goesOn(jobs);
    }
  };
}

/** A store is gone, or silent: what only processes with their timeouts show. */
export const eventStoreFaults: readonly Fault[] = [
  {
    name: 'is down for a while',
    happens: outage(
      'event_store',
      ({ events }) => events.goDown(),
      ({ events }) => events.comeBack(),
    ),
  },
  {
    name: 'is frozen',
    happens: outage(
      'event_store',
      ({ events }) => events.freeze(),
      ({ events }) => events.thaw(),
    ),
  },
];

export const readStoreFaults: readonly Fault[] = [
  {
    name: 'is restarted and refuses connections meanwhile',
    happens: repeatedly(1, 4, ({ mongo }) => mongo.restart(1_500)),
  },
  {
    name: 'is frozen',
    happens: outage(
      'read_store',
      ({ mongo }) => mongo.freeze(),
      ({ mongo }) => mongo.thaw(),
    ),
  },
];

/** Long runs meet these in the suites of the two adapters, and all runs in the simulation. */
export const moreEventStoreFaults: readonly Fault[] = [
  { name: 'is restarted', happens: repeatedly(2, 3, ({ events }) => events.restart()) },
  {
    name: 'is busy',
    happens: outage(
      'event_store',
      ({ events }) => events.faults.set({ busy: true }),
      ({ events }) => events.faults.clear(),
    ),
  },
  {
    name: 'loses replies after the commit',
    happens: repeatedly(2, 3, ({ events }) => events.faults.set({ loseReplies: 3 })),
  },
  {
    name: 'has no leader',
    happens: async (during) => {
      const { events } = during.servers;
      await events.faults.set({ notLeader: null });
      await refused(during, 3);
      // The same instance again, which is where clients are sent now.
      await events.faults.set({ notLeader: { host: '127.0.0.1', port: events.port } });
      await refused(during, 3);
      await events.faults.clear();
    },
  },
  {
    name: 'drops subscriptions by an error',
    happens: repeatedly(2, 3, ({ events }) => events.dropSubscriptions('unavailable')),
  },
  {
    name: 'ends subscriptions cleanly',
    happens: repeatedly(2, 3, ({ events }) => events.dropSubscriptions('end')),
  },
  {
    name: 'is silent after the commit',
    happens: repeatedly(1, 3, ({ events }) =>
      events.faults.set({ loseReplies: 2, loseRepliesBy: 'silence' }),
    ),
  },
];

export const moreReadStoreFaults: readonly Fault[] = [
  { name: 'loses its connections', happens: repeatedly(2, 3, ({ mongo }) => mongo.dropAll()) },
  {
    name: 'is no longer the primary',
    happens: outage(
      'read_store',
      ({ mongo }) => mongo.faults.notPrimary(),
      ({ mongo }) => mongo.faults.clear(),
    ),
  },
  {
    name: 'is slow',
    happens: async ({ servers: { mongo }, load }) => {
      await mongo.faults.slow(100);
      await load.goesOn(2);
      await mongo.faults.clear();
    },
  },
  {
    name: 'loses races to insert',
    happens: repeatedly(2, 3, ({ mongo }) => mongo.faults.loseUpsertRaces(6)),
  },
  {
    name: 'loses requests, and replies after the write',
    happens: repeatedly(2, 3, async ({ mongo }) => {
      await mongo.faults.loseReplies(4);
      await mongo.faults.loseRequests(4);
    }),
  },
  {
    name: 'steps down in the middle of writes',
    happens: repeatedly(3, 2, ({ mongo }) => mongo.faults.notPrimary(5)),
  },
  {
    name: 'answers only hello',
    happens: outage(
      'read_store',
      ({ mongo }) => mongo.faults.hang(),
      ({ mongo }) => mongo.faults.clear(),
    ),
  },
];
