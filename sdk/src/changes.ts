import { AT_ONCE_MS, idlePauseMs, WAIT_SECONDS, WAITING_ATTEMPT_MS } from './pauses.js';
import type { CallOptions, Row, Transport } from './transport.js';

/** Keeps a cursor, so that a reader goes on after a restart. */
export interface CursorStore {
  load(): string | undefined | Promise<string | undefined>;
  save(cursor: string): void | Promise<void>;
}

export interface ChangesOptions extends CallOptions {
  /** While `store` is empty: begins after this cursor, or with `now`. Absent: with the first event ever. */
  readonly after?: string;
  /** The cursor of a page is saved once the next item is asked for: its items are worked off then. */
  readonly store?: CursorStore;
  /** Default: all that the scopes show. */
  readonly eventTypes?: readonly string[];
  /** Items of one request, 1 to 1,000; default 100. */
  readonly pageSize?: number;
  /** False: ends after the last event of this moment. Default: waits for further events, also through an outage. */
  readonly follow?: boolean;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

/** Each item once and in order. @throws ApiError 409 if the service was restored and has lost the event of the cursor */
export async function* followChanges<Item>(
  transport: Transport,
  row: Row,
  params: Readonly<Record<string, string>>,
  { after, store, eventTypes, pageSize, follow = true, ...options }: ChangesOptions,
): AsyncGenerator<Item, void, undefined> {
  let cursor = (await store?.load()) ?? after;
  const headers = follow ? { prefer: `wait=${WAIT_SECONDS}` } : undefined;
  for (let idle = 0; ;) {
    const query = { limit: pageSize, after: cursor, event_types: eventTypes?.join() };
    const sentAt = performance.now();
    const patienceMs = follow ? Infinity : 0;
    const call = { ...options, params, query, headers, timeoutMs: WAITING_ATTEMPT_MS, patienceMs };
    const { status, data } = await transport.call<Page<Item>>(row, call);
    if (status !== 304) {
      yield* data.items;
      if (data.next_cursor !== cursor) {
        cursor = data.next_cursor;
        await store?.save(cursor);
        idle = 0;
        if (follow || data.has_more) continue;
      }
    }
    if (!follow) return;
    if (performance.now() - sentAt < AT_ONCE_MS) await transport.pause(idlePauseMs(idle++), options.signal);
  }
}
