import { pause } from '../../../async/pauses.js';
import { CorruptEventError, NoArchiveError, UnavailableError } from '../../../kernel/errors.js';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Clock, Milliseconds } from '../../../kernel/time.js';
import type { ArchivedEvent, ArchiveFile, EventArchive } from '../../ports/event-archive.port.js';
import { eventsOf, partitionOf, type Partition } from '../../ports/partitions.js';
import {
  readable,
  type FeedBatch,
  type ReadAllOptions,
  type RemoteEventStore,
  type SubscribeOptions,
} from '../../ports/remote-event-store.port.js';
import { positionFromNumber } from '../../write/event-codec.js';
import type { EventAtPosition } from '../eventstoredb/log-reader.js';
import type { ArchiveManifest, ListedFile } from './archive-manifest.js';

export interface ArchiveOptions {
  /** Undefined: the archive of this event store must be empty. */
  readonly archive: EventArchive | undefined;
  readonly manifest: ArchiveManifest;
  /** Types of the event before which a stream is truncated once the archive has its beginning. */
  readonly over: readonly string[];
  readonly clock: Clock;
}

type Remote = RemoteEventStore & EventAtPosition;

/** Events may leave the store this long before an instance without an archive notices; a scavenge takes longer. */
const REREAD_MS: Milliseconds = 3_000;

/** Sorts after each position. */
const END = '~';

/**
 * Reads an event store and its archive as one log. The store comes first in each read: what it lacks by then is in a
 * file that the manifest lists. An event that both have is read once.
 */
export class ArchivedEventStore implements RemoteEventStore, EventAtPosition {
  readonly append: Remote['append'];
  readonly appendInOrder: Remote['appendInOrder'];
  readonly truncate: Remote['truncate'];
  readonly head: Remote['head'];
  readonly end: Remote['end'];
  readonly holds: Remote['holds'];
  readonly writeMarker: Remote['writeMarker'];
  readonly close: Remote['close'];
  private emptyAt: Milliseconds = -Infinity;
  private looking: Promise<readonly ListedFile[]> | undefined;

  constructor(
    private readonly remote: Remote,
    private readonly options: ArchiveOptions,
  ) {
    this.append = remote.append.bind(remote);
    this.appendInOrder = remote.appendInOrder.bind(remote);
    this.truncate = remote.truncate.bind(remote);
    this.head = remote.head.bind(remote);
    this.end = remote.end.bind(remote);
    this.holds = remote.holds.bind(remote);
    this.writeMarker = remote.writeMarker.bind(remote);
    this.close = remote.close.bind(remote);
  }

  async load(
    stream: string,
    options: { from?: number; max?: number } = {},
  ): Promise<readonly RecordedEvent[]> {
    const { from = 0, max = Infinity } = options;
    const live = await this.remote.load(stream, options);
    // A stream that is truncated between two pages lacks events in between.
    const known = live.findIndex(({ revision }, n) => revision > from + n);
    const next = live[known];
    if (!next || !this.options.over.includes(next.type)) return live;
    const file = await this.options.manifest.fileBefore(next.position);
    const begin = from + known;
    const missing = Math.min(max - known, next.revision - begin);
    const older = this.archive.stream(file, stream, begin, missing);
    if (older.length < missing) throw new CorruptEventError(stream, begin + older.length, next.position);
    return [...live.slice(0, known), ...older, ...live.slice(known)].slice(0, max);
  }

  async readAll(options: ReadAllOptions): Promise<readonly RecordedEvent[]> {
    if (!this.options.archive) {
      const live = await this.remote.readAll(options);
      await this.files();
      return live;
    }
    const events: RecordedEvent[] = [];
    for (let { after } = options; ;) {
      const page = await this.page({
        ...options,
        ...(after !== undefined && { after }),
        max: options.max - events.length,
      });
      events.push(...page.events);
      if (page.end === END || events.length >= options.max) return events;
      after = page.end;
    }
  }

  async at(position: Position): Promise<RecordedEvent | undefined> {
    const found = await this.remote.at(position);
    if (found) return found;
    const files = await this.files();
    if (!this.options.archive) return undefined;
    const [next] = archivedAfter(this.archive, files, justBefore(position), 1).events;
    return next?.position === position ? next.read() : undefined;
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<FeedBatch, void, undefined> {
    const { after } = options;
    let isLive = after === 'end';
    let from = after;
    for await (const batch of this.remote.subscribe(options)) {
      if (isLive) yield batch;
      else yield* this.withArchived(batch, from, options);
      from = batch.position ?? from;
      // Whatever is archived from now on was delivered.
      isLive ||= batch.caughtUp;
    }
  }

  /** @throws UnavailableError also if the archive has events of this store and is not configured */
  async check(): Promise<void> {
    await this.remote.check();
    if (!this.options.archive) await this.files();
  }

  /** @throws UnavailableError also if the archive has events of this store and is not configured */
  private async files(): Promise<readonly ListedFile[]> {
    const { archive, manifest, clock } = this.options;
    if (archive) return manifest.files();
    const now = clock.monotonic();
    if (now - this.emptyAt < REREAD_MS) return [];
    this.looking ??= manifest.files().finally(() => (this.looking = undefined));
    if ((await this.looking).length > 0) throw new NoArchiveError();
    this.emptyAt = now;
    return [];
  }

  private get archive(): EventArchive {
    if (!this.options.archive) throw new NoArchiveError();
    return this.options.archive;
  }

  private async page({ after, max, onCorrupt }: ReadAllOptions): Promise<Page<RecordedEvent>> {
    const corrupt: CorruptEventError[] = [];
    const found = onCorrupt && ((error: CorruptEventError) => void corrupt.push(error));
    const live = await this.remote.readAll({ ...(after !== undefined && { after }), max, onCorrupt: found });
    const archived = archivedAfter(this.archive, await this.files(), after, max);
    const end = least(archived.end, live.length < max ? END : live.at(-1)!.position);
    const page = firstOf(merged(live.map(asRead), archived.events), end, max);
    const events = page.events.flatMap((event) => readable(event.read, found));
    const reported = corrupt.filter(({ position }) => position <= page.end).sort(byPosition);
    for (const error of reported) onCorrupt!(error);
    return { events, end: page.end };
  }

  /** @param from where the batch begins, exclusive */
  private async *withArchived(
    batch: FeedBatch,
    from: Position | undefined,
    { max, types, partition, signal }: SubscribeOptions,
  ): AsyncGenerator<FeedBatch, void, undefined> {
    const upTo = batch.caughtUp ? END : batch.position;
    if (upTo === undefined || batch.interrupted) return yield batch;
    const files = yield* this.filesOnceListed(from, signal);
    if (!files) return;
    if (!this.options.archive) return yield batch;
    let [after, rest] = [from, batch.events];
    while (!signal.aborted) {
      const { events, end } = archivedAfter(this.archive, files, after, max);
      const due = events.filter(({ position }) => position <= upTo);
      const found = due.flatMap((event) => readable(event.read, (error) => refuseOwn(partition, error)));
      const older = eventsOf(partition, found).filter(({ type }) => types?.includes(type) ?? true);
      const now = merged(
        rest.filter(({ position }) => position <= end),
        older,
      );
      if (end >= upTo)
        return yield { ...batch, events: now, position: greatest(batch.position, now.at(-1)?.position) };
      yield { events: now, position: end, caughtUp: false, interrupted: false };
      rest = rest.filter(({ position }) => position > end);
      after = end;
    }
  }

  /** An outage of the event store interrupts a subscription, one of the archive ends it. Undefined once it is stopped. */
  private async *filesOnceListed(
    position: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<FeedBatch, readonly ListedFile[] | undefined, undefined> {
    while (!signal.aborted)
      try {
        return await this.files();
      } catch (error) {
        if (!(error instanceof UnavailableError) || error instanceof NoArchiveError) throw error;
        yield { events: [], position, caughtUp: false, interrupted: true };
        await pause(this.options.clock, REREAD_MS, signal);
      }
    return undefined;
  }
}

interface Page<E> {
  readonly events: readonly E[];
  /** No event up to here is missing; more may follow, unless it is `END`. */
  readonly end: Position;
}

function archivedAfter(
  archive: EventArchive,
  files: readonly ArchiveFile[],
  after: Position | undefined,
  max: number,
): Page<ArchivedEvent> {
  let end: Position = END;
  const found: ArchivedEvent[] = [];
  for (const file of files) {
    if (file.last <= (after ?? '') || file.first > end) continue;
    const page = archive.after(file, after, max);
    if (page.length === max) end = least(end, page.at(-1)!.position);
    found.push(...page);
  }
  const isNew = ({ position }: Placed, n: number) => position !== found[n - 1]?.position;
  return firstOf(found.sort(byPosition).filter(isNew), end, max);
}

/** @param events in order */
function firstOf<E extends Placed>(events: readonly E[], end: Position, max: number): Page<E> {
  const upTo = events.filter(({ position }) => position <= end);
  if (upTo.length <= max) return { events: upTo, end };
  return { events: upTo.slice(0, max), end: upTo[max - 1]!.position };
}

function merged<E extends Placed>(live: readonly E[], archived: readonly E[]): readonly E[] {
  const known = new Set(live.map(({ position }) => position));
  return [...live, ...archived.filter(({ position }) => !known.has(position))].sort(byPosition);
}

/** A damaged event names its stream: other partitions do not need it. @throws CorruptEventError */
function refuseOwn(partition: Partition | undefined, error: CorruptEventError): void {
  if (!partition || partitionOf(error.stream, partition.count) === partition.index) throw error;
}

type Placed = Pick<RecordedEvent, 'position'>;

const asRead = (event: RecordedEvent): ArchivedEvent => ({ position: event.position, read: () => event });
const byPosition = (one: Placed, other: Placed) => (one.position < other.position ? -1 : 1);
const least = (one: Position, other: Position) => (one < other ? one : other);
const greatest = (one: Position | undefined, other = one) => ((one ?? '') < (other ?? '') ? other : one);
const justBefore = (position: Position) => positionFromNumber(BigInt(position) - 1n);
