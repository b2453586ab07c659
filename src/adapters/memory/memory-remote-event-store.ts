import type { Position } from '../../kernel/recorded-event.js';
import { UnavailableError, type Append } from '../../ports/event-store.port.js';
import {
  RemoteEventStore,
  type FeedBatch,
  type SubscribeOptions,
} from '../../ports/remote-event-store.port.js';
import type { MemoryEventStore } from './memory-event-store.js';

/** One instance's connection to a log that others use too. */
export class MemoryRemoteEventStore extends RemoteEventStore {
  private readonly ending = new AbortController();

  constructor(private readonly log: MemoryEventStore) {
    super();
  }

  append = async (append: Append) => this.open.append(append);

  /** One after the other, as between a service and a server: others come in between. */
  appendInOrder = async (appends: readonly Append[]) => {
    const answers = [];
    for (const append of appends) answers.push(await this.append(append));
    return answers;
  };

  load = async (stream: string, options?: { from?: number; max?: number }) => this.open.load(stream, options);
  readAll = async (options: { after?: Position; max: number }) => this.open.readAll(options);
  head = async () => this.open.head();
  check = async () => this.open.check();

  close = async () => {
    this.ending.abort();
  };

  subscribe({ after, max, signal }: SubscribeOptions): AsyncIterable<FeedBatch> {
    const start = after === 'end' ? this.log.everything().at(-1)?.position : after;
    return feed(this.log, start, max, AbortSignal.any([signal, this.ending.signal]));
  }

  private get open(): MemoryEventStore {
    if (this.ending.signal.aborted) throw new UnavailableError('the event store is closed', 'not_written');
    return this.log;
  }
}

async function* feed(
  log: MemoryEventStore,
  after: Position | undefined,
  max: number,
  signal: AbortSignal,
): AsyncGenerator<FeedBatch, void, undefined> {
  let position = after;
  let wake: () => void = () => undefined;
  const ring = () => wake();
  const stop = log.onAppended(ring);
  signal.addEventListener('abort', ring);
  const isNew = () => signal.aborted || log.everything().at(-1)?.position !== position;
  try {
    for (let told = false; !signal.aborted; told = true) {
      const events = await log.readAll({ ...(position !== undefined && { after: position }), max });
      if (signal.aborted) return;
      position = events.at(-1)?.position ?? position;
      if (events.length > 0 || !told) yield { events, position, caughtUp: !isNew(), interrupted: false };
      await new Promise<void>((resolve) => (isNew() ? resolve() : (wake = resolve)));
    }
  } finally {
    stop();
    signal.removeEventListener('abort', ring);
  }
}
