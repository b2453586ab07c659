import { EventStoreDb } from '../../src/adapters/eventstoredb/event-store-db.js';
import { startEventStoreServer } from '../servers/eventstore/eventstore-server.js';
import { eventStoreContract, type EventStoreFixture } from './event-store.contract.js';
import { cornerOf, IsolatedEventStore, type Corner } from './isolated-event-store.js';

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

/** One server for all tests, a corner of it for each. */
function fixtureOn(start: () => Promise<Server>): EventStoreFixture {
  let server: Server;
  let corner: Corner;
  let events: IsolatedEventStore;
  const open = () => EventStoreDb.open({ url: server.url });
  beforeAll(async () => void (server = await start()));
  beforeEach(async () => {
    const store = open();
    corner = await cornerOf(store);
    events = new IsolatedEventStore(store, corner);
  });
  afterEach(() => events.close());
  afterAll(() => server.stop());
  return {
    get stores() {
      return { events };
    },
    async reopen() {
      await events.close();
      events = new IsolatedEventStore(open(), corner);
    },
  };
}

describe.each(servers)('event store: $name', ({ start }) => {
  eventStoreContract(fixtureOn(start));
});
