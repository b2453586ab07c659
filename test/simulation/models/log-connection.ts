import type { Position, RecordedEvent } from '../../../src/kernel/recorded-event.js';
import type { Append, Appended } from '../../../src/event-sourcing/ports/event-store.port.js';
import {
  RemoteEventStore,
  type FeedBatch,
  type ReadAllOptions,
  type SubscribeOptions,
} from '../../../src/event-sourcing/ports/remote-event-store.port.js';
import type { Link } from '../engine/link.js';
import type { Log } from './log.js';

/** Events that a connection sends again after an interruption, at most. */
const REDELIVERED = 5;
const RECONNECTED_WITHIN_MS = 3_000;
/** After an interruption. */
const HEARS_AGAIN_MS = 5_000;

const typesOf = ({ stream, events }: Append) => `${stream} ${events.map(({ type }) => type).join(',')}`;

/** The connection of one instance to the event store. */
export class LogConnection extends RemoteEventStore {
  private readonly drops = new Set<() => void>();
  private droppedAt = -Infinity;

  constructor(
    private readonly link: Link,
    private readonly log: Log,
  ) {
    super();
  }

  append = (append: Append): Promise<Appended> =>
    this.link.write(`append ${typesOf(append)}`, () => this.log.append(append));

  /** One after the other; a failure leaves those before. */
  appendInOrder = async (appends: readonly Append[]): Promise<readonly Appended[]> => {
    const answers: Appended[] = [];
    for (const append of appends) answers.push(await this.append(append));
    return answers;
  };

  load = (stream: string, options?: { from?: number; max?: number }) =>
    this.link.call(`load ${stream}`, () => this.log.load(stream, options));

  truncate = (stream: string, before: number) =>
    this.link.call(`truncate ${stream}`, () => this.log.truncate(stream, before));

  readAll = ({ after, max }: ReadAllOptions) =>
    this.link.call(`read after ${after ?? 'the start'}`, () => this.log.after(after, max));

  head = (types?: readonly string[]) => this.link.call('head', () => this.log.head(types));
  end = () => this.link.call('end', () => this.log.end);
  holds = (position: Position) => this.link.call(`event at ${position}`, () => this.log.holds(position));
  writeMarker = () => this.link.write('marker', () => this.log.writeMarker());
  check = () => this.link.call('check', () => undefined);
  close = async () => this.drop();

  /** Events arrive late, or have until a moment ago. */
  get isDeaf(): boolean {
    const { cutUntil, program, server } = this.link;
    const until = Math.max(this.droppedAt, cutUntil, server.downUntil, server.frozenUntil);
    return program.sim.now < until + HEARS_AGAIN_MS;
  }

  /** Interrupts the subscriptions; each goes on by itself. */
  drop(): void {
    this.droppedAt = this.link.program.sim.now;
    for (const dropped of [...this.drops]) dropped();
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<FeedBatch, void, undefined> {
    const { signal } = options;
    await this.connected(this.link.delay());
    const start = options.after === 'end' ? this.log.head() : options.after;
    let position = start;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const arrived = isFirst ? 'news' : await this.news(position, signal);
      if (signal.aborted) return;
      if (arrived === 'dropped') {
        yield { events: [], position, caughtUp: false, interrupted: true };
        position = this.earlier(position, start);
        await this.connected(this.link.program.sim.random.next() * RECONNECTED_WITHIN_MS);
      } else {
        const batch = this.batch(position, options);
        position = batch.position;
        yield batch;
      }
    }
  }

  private batch(before: Position | undefined, { max, types }: SubscribeOptions): FeedBatch {
    const page = this.log.after(before, max);
    const events = types ? page.filter(({ type }) => types.includes(type)) : page;
    const position = page.at(-1)?.position ?? before;
    return { events, position, caughtUp: page.length < max, interrupted: false };
  }

  /** Resolves once there are events after the position and have travelled here. */
  private news(position: Position | undefined, signal: AbortSignal): Promise<'news' | 'dropped'> {
    const { link, log } = this;
    return new Promise((resolve) => {
      let isTravelling = false;
      const end = (how: 'news' | 'dropped') => {
        stop();
        this.drops.delete(dropped);
        signal.removeEventListener('abort', aborted);
        resolve(how);
      };
      const dropped = () => link.program.isAlive && end('dropped');
      const aborted = () => end('news');
      const look = () => {
        if (isTravelling || log.after(position, 1).length === 0) return;
        isTravelling = true;
        this.travel(() => end(link.isOpen ? 'news' : 'dropped'));
      };
      const stop = log.listen(look);
      this.drops.add(dropped);
      signal.addEventListener('abort', aborted, { once: true });
      look();
    });
  }

  private travel(arrived: () => void): void {
    const { link } = this;
    const frozen = Math.max(0, link.server.frozenUntil - link.program.sim.now);
    link.later(frozen + link.delay(), `${link.program.name} events arrive`, arrived);
  }

  private async connected(ms: number): Promise<void> {
    do await this.link.program.sleep(ms);
    while (!this.link.isOpen);
  }

  /** Some events before the position, never one before the subscription. */
  private earlier(position: Position | undefined, start: Position | undefined): Position | undefined {
    const { random } = this.link.program.sim;
    if (position === undefined || !random.chance(0.5)) return position;
    const known: readonly RecordedEvent[] = this.log.after(start, Infinity);
    const last = known.findLastIndex((event) => event.position <= position);
    const from = last - 1 - random.below(REDELIVERED);
    return from < 0 ? position : known[from]!.position;
  }
}
