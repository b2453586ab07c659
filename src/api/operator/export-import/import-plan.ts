import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Append, NewEvent } from '../../../ports/event-store.port.js';

export type ArrivingEvent = NewEvent & Pick<RecordedEvent, 'stream' | 'revision'>;

/** Stored events of a stream from some revision on; `end` is the revision of the last one. */
export interface StoredPart {
  readonly events: readonly RecordedEvent[];
  readonly end: number;
}

export type Plan =
  | { readonly fits: true; readonly appends: readonly Append[]; readonly known: number }
  | { readonly fits: false; readonly stream: string; readonly revision: number };

/** EventStoreDB 23.10 drops every live subscription when 150 events arrive at once; 100 are fine. */
const MOST_TOGETHER = 100;

/**
 * Appends needed so that the streams hold the imported events, in their order; consecutive events of one stream
 * share an append, which need not be atomic: an interrupted import is repeated. Stored events must be equal.
 */
export function planImport(
  arriving: readonly ArrivingEvent[],
  stored: ReadonlyMap<string, StoredPart>,
): Plan {
  const ends = new Map([...stored].map(([stream, { end }]) => [stream, end]));
  const fresh: ArrivingEvent[] = [];
  for (const event of arriving) {
    const { stream, revision } = event;
    const there = stored.get(stream)?.events.find((one) => one.revision === revision);
    if (there && isSame(there, event)) continue;
    if (there || revision !== (ends.get(stream) ?? -1) + 1) return { fits: false, stream, revision };
    ends.set(stream, revision);
    fresh.push(event);
  }
  return { fits: true, appends: togetherByStream(fresh), known: arriving.length - fresh.length };
}

function togetherByStream(events: readonly ArrivingEvent[]): readonly Append[] {
  const appends: { stream: string; expected: Append['expected']; events: NewEvent[] }[] = [];
  for (const { stream, revision, ...event } of events) {
    const last = appends.at(-1);
    if (last?.stream === stream && last.events.length < MOST_TOGETHER) last.events.push(event);
    else appends.push({ stream, expected: revision === 0 ? 'no_stream' : revision - 1, events: [event] });
  }
  return appends;
}

function isSame(stored: RecordedEvent, { id, type, data, metadata }: ArrivingEvent): boolean {
  const { id: storedId, type: storedType } = stored;
  return (
    id === storedId &&
    type === storedType &&
    isSameJson(data, stored.data) &&
    isSameJson(metadata, stored.metadata)
  );
}

/** True if two JSON values are equal, ignoring the order of keys; undefined equals absent. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSameJson(a[key], b[key]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
