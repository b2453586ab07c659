import type { Position, RecordedEvent } from '../../../src/kernel/recorded-event.js';
import type { Append, EventStore } from '../../../src/event-sourcing/ports/event-store.port.js';
import {
  RemoteEventStore,
  type ReadAllOptions,
  type FeedBatch,
  type SubscribeOptions,
} from '../../../src/event-sourcing/ports/remote-event-store.port.js';
import { eventsOf } from '../../../src/event-sourcing/ports/partitions.js';
import { UnavailableError } from '../../../src/kernel/errors.js';

/** One instance's connection to a log that other instances use too. */
export class FakeRemoteEventStore extends RemoteEventStore {
  private readonly ending = new AbortController();

  constructor(private readonly log: EventStore) {
    super();
  }

  append = async (append: Append) => this.open.append(append);

  /** Runs one append at a time; those of other instances may come in between. */
  appendInOrder = async (appends: readonly Append[]) => {
    const answers = [];
    for (const append of appends) answers.push(await this.append(append));
    return answers;
  };

  load = async (stream: string, options?: { from?: number; max?: number }) => this.open.load(stream, options);
  truncate = async (stream: string, before: number) => this.open.truncate(stream, before);
  readAll = async (options: ReadAllOptions) => this.open.readAll(options);
  head = async (types?: readonly string[]) => {
    if (!types) return this.open.head();
    const events = await this.open.readAll({ max: 1_000_000 });
    return events.findLast(({ type }) => types.includes(type))?.position;
  };
  end = async () => this.open.head();
  holds = async (position: Position) =>
    (await this.open.readAll({ max: 1_000_000 })).some((event) => event.position === position);
  /** The position that the next event gets: the log of the fake has no other records. */
  writeMarker = async () => String(Number((await this.open.head()) ?? 0) + 1).padStart(20, '0');
  check = async () => this.open.check();

  close = async () => {
    this.ending.abort();
  };

  subscribe({ after, max, signal, types, partition }: SubscribeOptions): AsyncIterable<FeedBatch> {
    const start = after === 'end' ? this.log.head() : Promise.resolve(after);
    const batches = feed(this.log, start, max, AbortSignal.any([signal, this.ending.signal]));
    const asked = (event: RecordedEvent) =>
      (types?.includes(event.type) ?? true) && eventsOf(partition, [event]).length > 0;
    return types ? selected(batches, asked) : batches;
  }

  private get open(): EventStore {
    if (this.ending.signal.aborted) throw new UnavailableError('the event store is closed', 'not_written');
    return this.log;
  }
}

/** As EventStoreDB, which moves the position past other events when it has caught up, then only now and then. */
async function* selected(
  batches: AsyncIterable<FeedBatch>,
  isAsked: (event: RecordedEvent) => boolean,
): AsyncGenerator<FeedBatch, void, undefined> {
  let hasCaughtUp = false;
  for await (const batch of batches) {
    const events = batch.events.filter(isAsked);
    const isNews = events.length > 0 || batch.events.length === 0 || (batch.caughtUp && !hasCaughtUp);
    hasCaughtUp ||= batch.caughtUp;
    if (!isNews) continue;
    yield { ...batch, events, position: events.at(-1)?.position ?? batch.position };
  }
}

async function* feed(
  log: EventStore,
  after: Promise<Position | undefined>,
  max: number,
  signal: AbortSignal,
): AsyncGenerator<FeedBatch, void, undefined> {
  let newest: Position | undefined;
  let wake: () => void = () => undefined;
  const stop = log.listen({
    appended: (events) => {
      newest = events.at(-1)!.position;
      wake();
    },
  });
  const end = () => wake();
  signal.addEventListener('abort', end);
  try {
    let position = await after;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const events: readonly RecordedEvent[] = await log.readAll({
        ...(position !== undefined && { after: position }),
        max,
      });
      if (signal.aborted) return;
      position = events.at(-1)?.position ?? position;
      const isNew = () => signal.aborted || events.length === max || (newest ?? '') > (position ?? '');
      if (events.length > 0 || isFirst) yield { events, position, caughtUp: !isNew(), interrupted: false };
      await new Promise<void>((resolve) => (isNew() ? resolve() : (wake = resolve)));
    }
  } finally {
    stop();
    signal.removeEventListener('abort', end);
  }
}
