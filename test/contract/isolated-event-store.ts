import { v7 } from 'uuid';
import type { Position, RecordedEvent } from '../../src/kernel/recorded-event.js';
import { LogListeners } from '../../src/event-sourcing/log-listeners.js';
import {
  EventStore,
  type Append,
  type Appended,
  type LogListener,
} from '../../src/event-sourcing/ports/event-store.port.js';
import type { RemoteEventStore } from '../../src/event-sourcing/ports/remote-event-store.port.js';
import { ConcurrencyError } from '../../src/kernel/errors.js';

const BATCH = 500;

/** Namespace of one test: the prefix of its streams, and the position where its events begin. */
export interface Corner {
  readonly prefix: string;
  readonly start: Position | undefined;
}

export async function cornerOf(remote: RemoteEventStore): Promise<Corner> {
  return { prefix: `${v7()}.`, start: await remote.head() };
}

/**
 * A remote store that looks empty on a shared server: streams get a prefix, and an append resolves when the
 * subscription has delivered it.
 */
export class IsolatedEventStore extends EventStore {
  private readonly listeners = new LogListeners((error) => {
    throw error;
  });
  private readonly ending = new AbortController();
  private readonly waiters = new Set<() => void>();
  private heard: Position = '';
  private readonly begun: Promise<void>;
  private readonly following: Promise<void>;

  constructor(
    private readonly remote: RemoteEventStore,
    private readonly corner: Corner,
  ) {
    super();
    let begin = () => {};
    this.begun = new Promise((resolve) => (begin = resolve));
    this.following = this.follow(begin);
  }

  async append(append: Append): Promise<Appended> {
    const [appended] = await this.appendInOrder([append]);
    return appended!;
  }

  async appendInOrder(appends: readonly Append[]): Promise<readonly Appended[]> {
    await this.begun;
    const { prefix } = this.corner;
    const inside = appends.map((append) => ({ ...append, stream: prefix + append.stream }));
    try {
      const answers = await this.remote.appendInOrder(inside);
      for (const { position } of answers) await this.isHeard(position);
      return answers.map((answer) => ({ ...answer, events: answer.events.map((event) => this.bare(event)) }));
    } catch (error) {
      if (!(error instanceof ConcurrencyError)) throw error;
      throw new ConcurrencyError(error.stream.slice(prefix.length), error.expected, error.actual);
    }
  }

  async load(stream: string, options?: { from?: number; max?: number }): Promise<readonly RecordedEvent[]> {
    const events = await this.remote.load(this.corner.prefix + stream, options);
    return events.map((event) => this.bare(event));
  }

  truncate(stream: string, before: number): Promise<void> {
    return this.remote.truncate(this.corner.prefix + stream, before);
  }

  async readAll({ after = this.corner.start, max }: { after?: Position; max: number }) {
    const events: RecordedEvent[] = [];
    for (;;) {
      const page = await this.remote.readAll({ after, max: BATCH });
      events.push(...this.own(page));
      if (page.length < BATCH || events.length >= max) return events.slice(0, max);
      after = page.at(-1)!.position;
    }
  }

  async head(): Promise<Position | undefined> {
    return (await this.readAll({ max: Infinity })).at(-1)?.position;
  }

  async unprojected(): Promise<readonly RecordedEvent[]> {
    return [];
  }

  async waitUntilProjected(): Promise<void> {
    return undefined;
  }

  listen(listener: LogListener): () => void {
    return this.listeners.add(listener);
  }

  check(): Promise<void> {
    return this.remote.check();
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.following;
    await this.remote.close();
  }

  private async follow(begin: () => void): Promise<void> {
    for await (const batch of this.remote.subscribe({
      after: 'end',
      max: BATCH,
      signal: this.ending.signal,
    })) {
      begin();
      const events = this.own(batch.events);
      if (events.length > 0) this.listeners.appended(events);
      this.heard = batch.position ?? this.heard;
      for (const waiter of this.waiters) waiter();
    }
  }

  private async isHeard(position: Position): Promise<void> {
    while (this.heard < position) {
      let waiter = () => {};
      await new Promise<void>((resolve) => this.waiters.add((waiter = resolve)));
      this.waiters.delete(waiter);
    }
  }

  private own(events: readonly RecordedEvent[]): RecordedEvent[] {
    return events
      .filter(({ stream }) => stream.startsWith(this.corner.prefix))
      .map((event) => this.bare(event));
  }

  private bare(event: RecordedEvent): RecordedEvent {
    return { ...event, stream: event.stream.slice(this.corner.prefix.length) };
  }
}
