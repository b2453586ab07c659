import { NO_STREAM, type AppendResult, type Credentials, type ExpectedRevision } from '@eventstore/db-client';
import type { Milliseconds } from '../../kernel/time.js';
import { UnavailableError, type Append, type Appended, type NewEvent } from '../../ports/event-store.port.js';
import type { StoreMetrics } from '../../ports/store-metrics.port.js';
import { refuseUnfit } from '../../event-sourcing/write/append-limits.js';
import type { EventCodec } from '../../event-sourcing/write/event-codec.js';
import type { ClientHolder } from './client-holder.js';
import { appendFailure } from './failures.js';
import type { LogReader } from './log-reader.js';
import { withTimeout } from '../../event-sourcing/deadline.js';
import { positionOf } from './stored-events.js';

export interface AppenderOptions {
  readonly holder: ClientHolder;
  readonly reader: LogReader;
  readonly codec: EventCodec;
  readonly credentials: Credentials;
  readonly timeoutMs: Milliseconds;
  readonly metrics: StoreMetrics;
}

/** Appends with an explicit revision and the caller's event ids, so that the server recognises a repeat, however late. */
export class Appender {
  constructor(private readonly options: AppenderOptions) {}

  /** @throws as EventStore.append */
  async append(append: Append): Promise<Appended> {
    const { codec, metrics } = this.options;
    refuseUnfit(append.events.map((event) => codec.encode(event)));
    const start = performance.now();
    const { position, nextExpectedRevision } = await this.send(append);
    const events = await this.placed(append, position);
    metrics.appended((performance.now() - start) / 1000);
    const last = events.at(-1);
    if (last?.revision !== Number(nextExpectedRevision)) {
      throw new UnavailableError(`stream ${append.stream} does not show what was just appended`);
    }
    return { revision: last.revision, position: last.position, events };
  }

  /** The server returns only the last position; events of one append become visible together. */
  private async placed({ stream, expected, events }: Append, last: AppendResult['position']) {
    const first = expected === 'no_stream' ? 0 : expected + 1;
    if (!last) return this.options.reader.stream(stream, first, events.length);
    const position = positionOf(last);
    return events.map((event, n) => ({ ...event, stream, revision: first + n, position }));
  }

  private async send(append: Append): Promise<AppendResult> {
    const { holder, credentials, timeoutMs } = this.options;
    const { stream, expected } = append;
    const events = append.events.map(clientEvent);
    const expectedRevision: ExpectedRevision = expected === 'no_stream' ? NO_STREAM : BigInt(expected);
    // With credentials the client makes one call per append, without the shared batch stream and without asking for
    // the server's features first (F1 to F6).
    const options = { expectedRevision, credentials, requiresLeader: true, deadline: timeoutMs };
    try {
      return await holder.run((client) =>
        withTimeout(timeoutMs, `appending to ${stream}`, () =>
          client.appendToStream(stream, events, options),
        ),
      );
    } catch (error) {
      throw appendFailure(error, append);
    }
  }
}

function clientEvent({ id, type, data, metadata }: NewEvent) {
  return {
    id,
    contentType: 'application/json' as const,
    type,
    data: data as Record<string, unknown>,
    metadata: { ...metadata },
  };
}
