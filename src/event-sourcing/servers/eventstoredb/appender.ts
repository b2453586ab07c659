import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ANY,
  jsonEvent,
  NO_STREAM,
  type AppendExpectedRevision,
  type AppendResult,
  type Credentials,
  type EventData,
} from '@eventstore/db-client';
import type { Position } from '../../../kernel/recorded-event.js';
import type { Milliseconds } from '../../../kernel/time.js';
import type { Append, Appended, NewEvent, StoreMetrics } from '../../ports/event-store.port.js';
import { encodeEvent, firstRevision, refuseUnfit } from '../../write/event-codec.js';
import type { ClientHolder } from './client-holder.js';
import { appendFailure, readFailure } from './failures.js';
import type { LogReader } from './log-reader.js';
import { Deadline, withTimeout } from '../../../async/deadline.js';
import { untilAborted } from '../../../async/pauses.js';
import { isUnavailable, retry } from '../../../async/retry.js';
import { positionOf } from './stored-events.js';
import { ConcurrencyError, UnavailableError } from '../../../kernel/errors.js';

const FIRST_POLL_MS: Milliseconds = 200;
/** The winner of a race was readable after 3 ms at the median, 17 ms at most. */
const READABLE_WITHIN_MS: Milliseconds = 1_000;
/** Pauses between reads of the winner: 2 ms doubling to this. */
const LONGEST_PAUSE_MS: Milliseconds = 256;

/** Readers skip system events by their type. */
const MARKER = { stream: 'rpsMarker', type: '$rps-marker' } as const;

export interface AppenderOptions {
  readonly holder: ClientHolder;
  readonly reader: LogReader;
  readonly credentials: Credentials;
  readonly timeoutMs: Milliseconds;
  readonly metrics: StoreMetrics;
  /** Wait for the winner's event after a lost race; default: one second. */
  readonly readableWithinMs?: Milliseconds;
}

/** Explicit revisions and event ids let the server recognise a repeat, however late. */
export class Appender {
  constructor(private readonly options: AppenderOptions) {}

  /** @throws as EventStore.append */
  async append(append: Append): Promise<Appended> {
    const { metrics } = this.options;
    refuseUnfit(append.events.map(encodeEvent));
    const start = performance.now();
    const sending = this.sendAndPlace(append);
    const appended = append.isRepeat ? await this.foundOrAnswered(append, sending) : await sending;
    metrics.appended((performance.now() - start) / 1000);
    return appended;
  }

  async writeMarker(): Promise<Position> {
    const { stream, type } = MARKER;
    const marker = jsonEvent({ id: randomUUID(), type, data: {} });
    try {
      return positionOf((await this.call(stream, [marker], ANY)).position);
    } catch (error) {
      throw readFailure(error);
    }
  }

  /** Sets `$tb`: readers skip events below it, and a scavenge frees them. */
  async truncate(stream: string, before: number): Promise<void> {
    const metadata = jsonEvent({ id: randomUUID(), type: '$metadata', data: { $tb: before } });
    try {
      await this.call(`$$${stream}`, [metadata], ANY);
    } catch (error) {
      throw readFailure(error);
    }
  }

  private async sendAndPlace(append: Append): Promise<Appended> {
    const { position, nextExpectedRevision } = await this.send(append);
    const events = await this.recorded(append, position);
    const last = events.at(-1);
    if (last?.revision !== Number(nextExpectedRevision)) {
      throw new UnavailableError(`stream ${append.stream} does not show what was just appended`);
    }
    return { revision: last.revision, position: last.position, events };
  }

  /** A repeat of an append in flight gets no answer for 2.5 s, so read the stream meanwhile. */
  private async foundOrAnswered(append: Append, sending: Promise<Appended>): Promise<Appended> {
    const over = sending.then(isOver, isOver);
    for (let ms = FIRST_POLL_MS; ; ms *= 2) {
      if (await untilAborted(over, AbortSignal.timeout(ms))) return sending;
      const look = this.stored(append).catch(() => undefined);
      const found = await Promise.race([look, over.then(() => undefined)]);
      if (found) return found;
    }
  }

  private async stored({ stream, expected, events }: Append): Promise<Appended | undefined> {
    const first = firstRevision(expected);
    const found = await this.options.reader.stream(stream, first, events.length);
    const last = found.at(-1);
    if (!last || !events.every(({ id }, n) => found[n]?.id === id)) return undefined;
    return { revision: last.revision, position: last.position, events: found };
  }

  /** The server refuses the loser some milliseconds before the winner's events are readable. */
  private async untilReadable(stream: string, revision: number): Promise<void> {
    const { reader, readableWithinMs = READABLE_WITHIN_MS } = this.options;
    const deadline = new Deadline(readableWithinMs);
    const look = async () => {
      const [found] = await reader.stream(stream, revision, 1);
      if (!found) throw new UnavailableError(`event ${revision} of ${stream} cannot be read yet`);
    };
    const wait = (failures: number) => sleep(Math.min(2 ** failures, LONGEST_PAUSE_MS));
    const bounded = () => deadline.within(`looking for event ${revision} of ${stream}`, look);
    await retry(bounded, { when: isUnavailable, wait, deadline }).catch(() => undefined);
  }

  /** The server returns only the last position; events of one append become visible together. */
  private async recorded({ stream, expected, events }: Append, last: AppendResult['position']) {
    const first = firstRevision(expected);
    if (!last) return this.options.reader.stream(stream, first, events.length);
    const position = positionOf(last);
    return events.map((event, n) => ({ ...event, stream, revision: first + n, position }));
  }

  private async send(append: Append): Promise<AppendResult> {
    const { stream, expected, events } = append;
    try {
      return await this.call(
        stream,
        events.map(clientEvent),
        expected === 'no_stream' ? NO_STREAM : BigInt(expected),
      );
    } catch (error) {
      const failure = appendFailure(error, append);
      if (failure instanceof ConcurrencyError && failure.actual >= 0) {
        await this.untilReadable(stream, failure.actual);
      }
      throw failure;
    }
  }

  private call(
    stream: string,
    events: EventData[],
    expectedRevision: AppendExpectedRevision,
  ): Promise<AppendResult> {
    const { holder, credentials, timeoutMs } = this.options;
    // Credentials make the client use one call per append, without the shared batch stream (F1 to F6).
    const options = { expectedRevision, credentials, requiresLeader: true, deadline: timeoutMs };
    return holder.run((client) =>
      withTimeout(timeoutMs, `appending to ${stream}`, () => client.appendToStream(stream, events, options)),
    );
  }
}

const isOver = () => true;

function clientEvent({ id, type, data, metadata }: NewEvent) {
  return {
    id,
    contentType: 'application/json' as const,
    type,
    data: data as Record<string, unknown>,
    metadata: { ...metadata },
  };
}
