import fc from 'fast-check';
import { EventStoreDb } from '../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Append, EventStore, NewEvent } from '../../src/event-sourcing/ports/event-store.port.js';
import { startEventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';
import { append } from './any-appends.js';
import { eventStoreContract } from './event-store.contract.js';
import { ModelEventStore } from './model-event-store.js';
import { cornerOf, IsolatedEventStore, type Corner } from './isolated-event-store.js';
import type { ConcurrencyError } from '../../src/kernel/errors.js';

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

const real = process.env.EVENTSTORE_URL;
if (!real) process.stderr.write('event store contract: no real EventStoreDB, EVENTSTORE_URL is not set\n');

const servers: { name: string; start: () => Promise<Server> }[] = [
  { name: 'EventStoreDB, the test server', start: startEventStoreServer },
];
if (real)
  servers.push({ name: 'EventStoreDB', start: async () => ({ url: real, stop: async () => undefined }) });

/** One server for all tests, with a separate namespace for each. */
function fixtureOn(start: () => Promise<Server>) {
  let server: Server;
  let corner: Corner;
  let events: IsolatedEventStore;
  // A busy machine takes longer than the default for 500 appends at once.
  const open = () => EventStoreDb.open({ url: server.url, timeoutMs: 30_000 });
  const anew = async () => {
    const store = open();
    corner = await cornerOf(store);
    events = new IsolatedEventStore(store, corner);
  };
  beforeAll(async () => void (server = await start()));
  beforeEach(anew);
  afterEach(() => events.close());
  afterAll(() => server.stop());
  return {
    get stores() {
      return { events };
    },
    /** Another empty namespace. */
    async anew() {
      await events.close();
      await anew();
    },
    async reopen() {
      await events.close();
      events = new IsolatedEventStore(open(), corner);
    },
  };
}

/** Positions differ between stores, so they are left out; the contract covers them. */
const unplaced = ({ position: _, ...event }: RecordedEvent) => event;

async function outcomeOf(store: Pick<EventStore, 'append'>, append: Append): Promise<unknown> {
  try {
    const { revision, events } = await store.append(append);
    return { revision, events: events.map(unplaced) };
  } catch (error) {
    const { stream, expected, actual } = error as ConcurrencyError;
    return { stream, expected, actual };
  }
}

/** Repeats are detected by ids, so the same ids must have the same events. */
function sameEventForAnId(appends: readonly Append[]): Append[] {
  const first = new Map<string, NewEvent>();
  return appends.map((append) => ({
    ...append,
    events: append.events.map((event) => {
      if (!first.has(event.id)) first.set(event.id, event);
      return first.get(event.id)!;
    }),
  }));
}

describe.each(servers)('event store: $name', ({ start }) => {
  const fixture = fixtureOn(start);

  it('matches the model for any appends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(append, { maxLength: 15 }), async (anyAppends) => {
        await fixture.anew();
        const model = new ModelEventStore();
        for (const one of sameEventForAnId(anyAppends)) {
          expect(await outcomeOf(fixture.stores.events, one)).toEqual(await outcomeOf(model, one));
        }
        const everything = await fixture.stores.events.readAll({ max: 1_000 });
        expect(everything.map(unplaced)).toEqual(model.events.map(unplaced));
      }),
      { numRuns: 40 },
    );
  });
});

describe.each(servers)('event store: $name', ({ start }) => {
  eventStoreContract(fixtureOn(start));
});
