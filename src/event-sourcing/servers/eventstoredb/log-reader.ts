import {
  type AllStreamResolvedEvent,
  type ReadPosition,
  type Credentials,
  type Direction,
  type ResolvedEvent,
  type StreamingRead,
  BACKWARDS,
  END,
  FORWARDS,
  START,
} from '@eventstore/db-client';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import { categoryOf } from '../../../kernel/ids.js';
import type { Milliseconds } from '../../../kernel/time.js';
import type { ClientHolder } from './client-holder.js';
import { readable, type ReadAllOptions, type RemoteEventStore } from '../../ports/remote-event-store.port.js';
import { logPositionOf, NewestEventSearch } from './newest-event.js';
import { isInsideRecord, isMissingStream, readFailure } from './failures.js';
import { isAfter, logPosition, oursOf, positionOf, recordedOf, type LogPosition } from './stored-events.js';
import { type CorruptEventError, UnavailableError } from '../../../kernel/errors.js';
import { withTimeout } from '../../../async/deadline.js';
import { StoredTexts, type StoredText, type TextPage } from '../../ports/stored-texts.port.js';

const PAGE = 500;
/** Allowance for system events between ours in a small read. */
const SYSTEM_ALLOWANCE = 16;
/** Each read has its own timeout and cancellation. */
export class LogReader {
  private readonly newestOf = new NewestEventSearch((from, max) => this.page(BACKWARDS, from, max));

  constructor(
    private readonly holder: ClientHolder,
    private readonly credentials: Credentials,
    private readonly timeoutMs: Milliseconds,
  ) {}

  /** A missing or softly deleted stream is empty. */
  async stream(stream: string, from: number, max: number): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    let next = from;
    while (events.length < max) {
      const maxCount = Math.min(PAGE, max - events.length);
      const page = await this.streamPage(stream, next, maxCount);
      for (const { event } of page) if (event) events.push(recordedOf(event));
      if (page.length < maxCount) break;
      next = events.at(-1)!.revision + 1;
    }
    return events;
  }

  /** Our events only, exclusive of `after`. @throws CorruptEventError without `onCorrupt` */
  async all(
    after: Position | undefined,
    max: number,
    onCorrupt?: ReadAllOptions['onCorrupt'],
  ): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    let from: LogPosition | undefined = after === undefined ? undefined : logPosition(after);
    // The server's start position is inclusive.
    let size = Math.min(PAGE, max) + 1;
    while (events.length < max) {
      const page = await this.page(FORWARDS, from ?? START, size);
      const fresh = from ? page.filter((one) => isAfter(logPositionOf(one), from!)) : page;
      const ours = fresh.map(oursOf).filter((event) => event !== undefined);
      for (const event of ours)
        if (events.length < max) events.push(...readable(() => recordedOf(event), onCorrupt));
      if (page.length < size || fresh.length === 0) break;
      from = logPositionOf(page.at(-1)!);
      // After a page of system events only, read full pages to get past them.
      size = ours.length > 0 ? Math.min(PAGE, max - events.length + SYSTEM_ALLOWANCE) : PAGE;
    }
    return events;
  }

  /** Our event at exactly this position. */
  async at(position: Position): Promise<RecordedEvent | undefined> {
    const [found] = await this.page(FORWARDS, logPosition(position), 1);
    const event = found && oursOf(found);
    return event && positionOf(event.position) === position ? recordedOf(event) : undefined;
  }

  /** False if the record of ours at this position was part of another log. */
  async holds(position: Position): Promise<boolean> {
    const at = logPosition(position);
    try {
      const [found] = await this.page(FORWARDS, at, 1);
      // A scavenge may have removed it; then the next record is a later one.
      return !found || isAfter(logPositionOf(found), at) || oursOf(found) !== undefined;
    } catch (error) {
      if (!isInsideRecord(error)) throw error;
      return this.isFoundBackwards(position);
    }
  }

  /** A server gives the same error when it cannot read for another reason: only records around the position prove a loss. */
  private async isFoundBackwards(position: Position): Promise<boolean> {
    for (let from: ReadPosition = END; ;) {
      const page: AllStreamResolvedEvent[] = await this.page(BACKWARDS, from, PAGE);
      const places = page.map((one) => positionOf(logPositionOf(one)));
      if (places.includes(position)) return true;
      if (page.length < PAGE || places.at(-1)! < position) return false;
      from = logPositionOf(page.at(-1)!);
    }
  }

  /** @param types default: all of the service */
  newestOfOurs(types?: readonly string[]): Promise<Position | undefined> {
    return this.newestOf.ofTypes(types);
  }

  async newest(timeoutMs = this.timeoutMs): Promise<Position | undefined> {
    const [newest] = await this.page(BACKWARDS, END, 1, timeoutMs);
    return newest && positionOf(logPositionOf(newest));
  }

  /** The server would skip an event if the one at an exclusive start was scavenged, so start before it. */
  async anchor(after: Position | undefined): Promise<LogPosition | typeof START> {
    if (after === undefined) return START;
    const anchor = logPosition(after);
    const [at] = await this.page(FORWARDS, anchor, 1);
    if (at && !isAfter(logPositionOf(at), anchor)) return anchor;
    const [before] = await this.page(BACKWARDS, anchor, 1);
    return before ? logPositionOf(before) : START;
  }

  private async streamPage(stream: string, from: number, maxCount: number): Promise<ResolvedEvent[]> {
    const { credentials } = this;
    try {
      return await this.read(`reading ${stream}`, this.timeoutMs, (client) =>
        client.readStream(stream, {
          fromRevision: BigInt(from),
          maxCount,
          direction: FORWARDS,
          requiresLeader: true,
          credentials,
        }),
      );
    } catch (error) {
      if (isMissingStream(error)) return [];
      throw readFailure(error);
    }
  }

  private async page(
    direction: Direction,
    fromPosition: ReadPosition,
    maxCount: number,
    timeoutMs = this.timeoutMs,
  ): Promise<AllStreamResolvedEvent[]> {
    const { credentials } = this;
    const options = { direction, fromPosition, maxCount, requiresLeader: true, credentials };
    try {
      return await this.read('reading the log', timeoutMs, (client) => client.readAll(options));
    } catch (error) {
      throw readFailure(error);
    }
  }

  private read<E>(
    what: string,
    timeoutMs: Milliseconds,
    begin: (client: ClientHolder['current']) => StreamingRead<E>,
  ): Promise<E[]> {
    return this.holder.run(async (client) => {
      const items = await collected(begin(client), timeoutMs, what);
      // A replaced client cancels its reads, and a cancelled read ends as if it were complete.
      if (client === this.holder.current) return items;
      throw new UnavailableError(`${what}: the client was replaced meanwhile`, 'not_written');
    });
  }
}

/** Always cancels the call: every open one occupies one of the connection's hundred streams (F7). */
export async function collected<E>(read: StreamingRead<E>, ms: Milliseconds, what: string): Promise<E[]> {
  const items: E[] = [];
  const all = new Promise<E[]>((resolve, reject) => {
    // Never removed: an error event without a listener ends the process (F9).
    read.on('error', reject);
    read.on('data', (item) => items.push(item));
    // A replaced client destroys its streams: they close without an end or an error, and may lack events.
    const cutOff = () => reject(new UnavailableError(`${what}: the read was cut off`, 'not_written'));
    read.on('close', cutOff);
    read.on('end', () => {
      read.off('close', cutOff); // Every read closes: avoids creating an unused error.
      resolve(items);
    });
  });
  try {
    return await withTimeout(ms, what, () => all);
  } finally {
    void read.cancel().catch(() => undefined);
  }
}

export interface EventAtPosition {
  /** The event at exactly this position. @throws CorruptEventError, UnavailableError */
  at(position: Position): Promise<RecordedEvent | undefined>;
}

/** Each call is a read of its own. */
const READS_AT_ONCE = 16;

/** The client gives parsed JSON, of which `JSON.stringify` gives back the text that the service wrote. */
export class ServerStoredTexts extends StoredTexts {
  constructor(private readonly log: Pick<RemoteEventStore, 'load' | 'readAll'> & EventAtPosition) {
    super();
  }

  async after(
    position: Position | undefined,
    max: number,
    unwanted: readonly string[] = [],
  ): Promise<TextPage> {
    const damaged: CorruptEventError[] = [];
    const onCorrupt = (error: CorruptEventError) => void damaged.push(error);
    const events = await this.log.readAll({
      ...(position !== undefined && { after: position }),
      max,
      onCorrupt,
    });
    const texts = events.filter(({ stream }) => !unwanted.includes(categoryOf(stream))).map(textOf);
    const ends = [events.at(-1), damaged.at(-1)].flatMap((last) => (last ? [last.position] : []));
    return { texts, damaged, end: ends.sort().at(-1) ?? position, isLast: events.length < max };
  }

  async stream(name: string, from: number, max: number): Promise<readonly StoredText[]> {
    return (await this.log.load(name, { from, max })).map(textOf);
  }

  async at(positions: readonly Position[]): Promise<readonly (StoredText | undefined)[]> {
    const found: (StoredText | undefined)[] = [];
    for (let from = 0; from < positions.length; from += READS_AT_ONCE) {
      const part = positions.slice(from, from + READS_AT_ONCE);
      const events = await Promise.all(part.map((one) => this.log.at(one)));
      found.push(...events.map((event) => event && textOf(event)));
    }
    return found;
  }
}

export function textOf({ data, metadata, ...event }: RecordedEvent): StoredText {
  return { ...event, data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
}
