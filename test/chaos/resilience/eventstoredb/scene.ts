import { v7 } from 'uuid';
import {
  EventStoreDb,
  type EventStoreDbOptions,
} from '../../../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import type { RecordedEvent } from '../../../../src/kernel/recorded-event.js';
import type { Append, Appended } from '../../../../src/event-sourcing/ports/event-store.port.js';
import type {
  FeedBatch,
  SubscribeOptions,
} from '../../../../src/event-sourcing/ports/remote-event-store.port.js';
import { begin, written } from '../../../contract/sample-appends.js';
import { within } from '../../../kit/polling.js';
import type { ServerOptions } from '../../../stand-ins/eventstore/control.js';
import {
  startEventStoreServer,
  type EventStoreServer,
} from '../../../stand-ins/eventstore/eventstore-server.js';
import { UnavailableError } from '../../../../src/kernel/errors.js';

/** Bounds what a test waits for; far more than it takes. */
export const SOON_MS = 15_000;

export interface Observed {
  readonly warnings: string[];
  readonly interruptions: unknown[];
  readonly replacements: string[];
  /** `began` and `ended`, in order. */
  readonly outages: string[];
}

export interface Opened extends Observed {
  readonly store: EventStoreDb;
}

/** A server for the tests of one file; stores and listeners are closed after each test, faults are cleared. */
export function scene(serverOptions: Partial<ServerOptions> = {}) {
  const servers: EventStoreServer[] = [];
  const opened: EventStoreDb[] = [];
  const listeners: Listener[] = [];
  beforeAll(async () => void servers.push(await startEventStoreServer(serverOptions)));
  afterEach(async () => {
    for (const server of servers) server.thaw();
    await Promise.all(servers.map((server) => server.faults.clear()));
    await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));
  return {
    get server() {
      return servers[0]!;
    },
    async anotherServer(): Promise<EventStoreServer> {
      const server = await startEventStoreServer(serverOptions);
      servers.push(server);
      return server;
    },
    open(options: Partial<EventStoreDbOptions> = {}): Opened {
      const observed: Observed = { warnings: [], interruptions: [], replacements: [], outages: [] };
      const store = EventStoreDb.open({
        url: servers[0]!.url,
        observer: {
          warned: (message) => observed.warnings.push(message),
          interrupted: (reason) => observed.interruptions.push(reason),
          outageBegan: () => observed.outages.push('began'),
          outageEnded: () => observed.outages.push('ended'),
          clientReplaced: (_, reason) => observed.replacements.push(reason),
        },
        ...options,
      });
      opened.push(store);
      return { store, ...observed };
    },
    listen(store: EventStoreDb, options: Listening = {}): Listener {
      const listener = new Listener(store, options);
      listeners.push(listener);
      return listener;
    },
  };
}

type Listening = Partial<Pick<SubscribeOptions, 'after' | 'max' | 'types'>>;

/** Takes what a subscription hands over. */
export class Listener {
  readonly batches: FeedBatch[] = [];
  failure: unknown;
  private readonly ending = new AbortController();
  private readonly ended: Promise<void>;

  constructor(store: EventStoreDb, { max = 500, ...options }: Listening) {
    const feed = store.subscribe({ ...options, max, signal: this.ending.signal });
    this.ended = this.take(feed).catch((error: unknown) => void (this.failure = error));
  }

  get events(): RecordedEvent[] {
    return this.batches.flatMap(({ events }) => events);
  }

  get streams(): string[] {
    return this.events.map(({ stream }) => stream);
  }

  /** Everything there was, before what comes next. */
  async caughtUp(): Promise<this> {
    await within(SOON_MS, () => this.batches.at(-1)?.caughtUp === true);
    return this;
  }

  async hears(stream: string): Promise<void> {
    await within(SOON_MS, () => this.streams.includes(stream));
  }

  async isInterrupted(): Promise<void> {
    await within(SOON_MS, () => this.batches.some(({ interrupted }) => interrupted));
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.ended;
  }

  private async take(feed: AsyncIterable<FeedBatch>): Promise<void> {
    for await (const batch of feed) this.batches.push(batch);
  }
}

/** A new stream with one event. */
export const note = (text?: string): Append => begin(`note-${v7()}`, written(text));

/** As the runtime does it: again with the same ids, until it is known. */
export async function appendUntilKnown(store: EventStoreDb, append: Append): Promise<Appended> {
  const end = performance.now() + SOON_MS;
  for (;;) {
    try {
      return await store.append(append);
    } catch (error) {
      if (!(error instanceof UnavailableError) || performance.now() > end) throw error;
    }
  }
}
