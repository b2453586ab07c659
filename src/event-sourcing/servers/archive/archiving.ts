import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { CorruptEventError, UnavailableError } from '../../../kernel/errors.js';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import { plus, type Instant, type Milliseconds } from '../../../kernel/time.js';
import type { ArchivedStream, EventArchive } from '../../ports/event-archive.port.js';
import type { RemoteEventStore } from '../../ports/remote-event-store.port.js';
import type { StoredText } from '../../ports/stored-texts.port.js';
import type { Packing, PackingRule } from '../../ports/stores.js';
import { textOf } from '../eventstoredb/log-reader.js';
import { ArchiveManifest, type ListedFile } from './archive-manifest.js';

/** Readers of old events look into each file of their time, so there are few. */
const PAUSE_MS: Milliseconds = 23 * 3_600_000;
const STREAMS_A_FILE = 100_000;
const PAGE = 500;
const AT_ONCE = 16;

export interface ArchivingOptions {
  /** The event store alone. */
  readonly events: Pick<RemoteEventStore, 'load' | 'append' | 'truncate' | 'subscribe'>;
  readonly archive: EventArchive;
  readonly streamsAFile?: number;
}

/**
 * Moves the events before each event of the types of `over` to files, once a day. A crash leaves a file that is not
 * listed, or streams that both have, which the next run truncates.
 */
export class Archiving implements Packing {
  constructor(private readonly options: ArchivingOptions) {}

  /** @throws ConcurrencyError if another worker writes as well */
  async run({ before, over = [] }: PackingRule, signal = new AbortController().signal): Promise<number> {
    // Of this run alone: what others read meanwhile must not renew the revision that it expects.
    const manifest = new ArchiveManifest(this.options.events);
    // Before `last`, which is what an addition goes on from.
    const newest = (await manifest.files()).at(-1);
    const last = await manifest.last();
    if (last?.file) await this.truncate(manifest, last.file, over, signal);
    if (last && last.before > plus(before, -PAUSE_MS)) return 0;
    // A folder without the newest file is an empty mount point.
    if (newest) this.options.archive.after(newest, undefined, 1);
    let [moved, after] = [0, last?.until];
    for (;;) {
      const { file, until } = await this.write(manifest, after, { before, over }, signal);
      after = until;
      if (!file) break;
      await this.truncate(manifest, file, over, signal);
      moved += file.streams;
    }
    await manifest.done({ ...(after !== undefined && { until: after }), before });
    return moved;
  }

  private async write(
    manifest: ArchiveManifest,
    after: Position | undefined,
    rule: Ended,
    signal: AbortSignal,
  ): Promise<{ readonly file?: ListedFile; readonly until: Position | undefined }> {
    const { archive } = this.options;
    const { before } = rule;
    let until = after;
    const streams = this.streams(after, rule, signal, (position) => (until = position));
    const written = await archive.write(nameOf(before), streams);
    if (!written || until === undefined) return { until };
    signal.throwIfAborted();
    const file = { ...written, until, before };
    await manifest.add(file);
    return { file, until };
  }

  /** Streams are at rest long before, so those that are younger than `before` are left to the next run. */
  private async *streams(
    after: Position | undefined,
    { before, over }: Ended,
    signal: AbortSignal,
    reached: (position: Position) => void,
  ): AsyncGenerator<readonly StoredText[], void, undefined> {
    const { events, streamsAFile = STREAMS_A_FILE } = this.options;
    let left = streamsAFile;
    const start = { ...(after !== undefined && { after }), types: over, max: PAGE, signal };
    for await (const batch of events.subscribe(start)) {
      if (batch.interrupted) throw new UnavailableError('the event store was interrupted', 'not_written');
      for (let from = 0; from < batch.events.length; from += AT_ONCE) {
        const some = batch.events.slice(from, from + Math.min(AT_ONCE, left));
        const young = some.findIndex(({ metadata }) => metadata.at > before);
        const due = young < 0 ? some : some.slice(0, young);
        for (const texts of await Promise.all(due.map((end) => this.beginning(end))))
          if (texts.length > 0) yield texts;
        if (due.length > 0) reached(due.at(-1)!.position);
        left -= due.length;
        if (due.length < some.length || left === 0) return;
      }
      if (!batch.caughtUp) continue;
      if (batch.position !== undefined) reached(batch.position);
      return;
    }
    throw new UnavailableError('the archive was interrupted', 'not_written');
  }

  /** Empty if it was truncated before, or an event is damaged: such a stream stays. */
  private async beginning({ stream, revision }: RecordedEvent): Promise<readonly StoredText[]> {
    try {
      const events = await this.options.events.load(stream, { max: revision });
      return events.length === revision && events[0]?.revision === 0 ? events.map(textOf) : [];
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      return [];
    }
  }

  /** Only what the file gives back. @throws CorruptEventError for a file that is damaged already */
  private async truncate(
    manifest: ArchiveManifest,
    file: ListedFile,
    over: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { archive } = this.options;
    const streams = archive.streams(file);
    for (let from = 0; from < streams.length; from += AT_ONCE) {
      signal.throwIfAborted();
      const some = streams.slice(from, from + AT_ONCE);
      await Promise.all(some.map((one) => this.truncateStream(file, one, over)));
      await setImmediate();
    }
    await manifest.done(file);
  }

  /** An older copy of the log that was put back meanwhile may end sooner, or go on in another way. */
  private async truncateStream(
    file: ListedFile,
    { name, events: count }: ArchivedStream,
    over: readonly string[],
  ): Promise<void> {
    const { archive, events } = this.options;
    const kept = archive.stream(file, name, 0, count);
    const live = await events.load(name, { max: count + 1 });
    const isEnded = live.some(({ revision, type }) => revision === count && over.includes(type));
    const isKept = live.every(({ revision, id }) => revision >= count || kept[revision]?.id === id);
    if (kept.length < count || !isEnded || !isKept) throw new CorruptEventError(name, 0, file.first);
    await events.truncate(name, count);
  }
}

interface Ended {
  readonly before: Instant;
  readonly over: readonly string[];
}

/** No other worker writes a file of this name. */
function nameOf(before: Instant): string {
  return `${before.slice(0, 'YYYY-MM-DD'.length)}-${randomUUID().slice(0, 8)}.db`;
}
