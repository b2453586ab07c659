import { Injectable } from '@nestjs/common';
import { isLostRace, retry } from '../../../async/retry.js';
import { operatorTokens } from '../../../contexts/operators/index.js';
import { type Append, EventStore, type GroupLeases, type NewEvent } from '../../../event-sourcing/index.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { ConcurrencyError } from '../../../kernel/errors.js';
import { categoryOf } from '../../../kernel/ids.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Milliseconds } from '../../../kernel/time.js';

const LEASE_MS: Milliseconds = 30_000;

/** Allows imports only while no worker reacts to events: holds their leases, so that none starts meanwhile. */
export class ImportGate {
  /** @param workers the groups whose leases are held; `leases` is absent on a single instance */
  constructor(
    private readonly role: 'all' | 'api' | 'worker',
    private readonly leases: GroupLeases | undefined,
    private readonly workers: readonly string[],
    private readonly holder: string,
  ) {}

  /**
   * True: no timer fires and no webhook is sent for the next 30 seconds; call it again to continue.
   * @throws UnavailableError
   */
  async isOpen(): Promise<boolean> {
    if (this.role !== 'api') return false;
    for (const group of this.workers) {
      if (this.leases && !(await this.leases.acquire(group, this.holder, LEASE_MS))) return false;
    }
    return true;
  }
}

interface Imported {
  readonly appended: number;
  /** Events that were stored already, unchanged. */
  readonly known: number;
  /** Events that belong to the source installation only. */
  readonly left_out: number;
}

const READS_AT_ONCE = 16;
const ATTEMPTS = 3;

/**
 * Imports events of another installation. Compares them with stored events, so that a repeat changes nothing.
 */
@Injectable()
export class EventImport {
  constructor(private readonly events: EventStore) {}

  /** @throws ApiError STREAM_DIFFERS */
  async take(given: readonly ArrivingEvent[]): Promise<Imported> {
    const arriving = given.filter(({ stream }) => categoryOf(stream) !== operatorTokens.category);
    const plan = await this.append(arriving);
    const { known } = plan;
    return { appended: arriving.length - known, known, left_out: given.length - arriving.length };
  }

  /** Another import may append the same events first: the next attempt finds them. */
  private async append(arriving: readonly ArrivingEvent[]): Promise<Plan & { fits: true }> {
    try {
      return await retry(() => this.appendOnce(arriving), { when: isLostRace, attempts: ATTEMPTS });
    } catch (error) {
      throw error instanceof ConcurrencyError ? differs(error.stream, error.actual) : error;
    }
  }

  private async appendOnce(arriving: readonly ArrivingEvent[]): Promise<Plan & { fits: true }> {
    const plan = planImport(arriving, await this.storedOf(arriving));
    if (!plan.fits) throw differs(plan.stream, plan.revision);
    if (plan.appends.length > 0) await this.events.appendInOrder(plan.appends, { consistency: 'durable' });
    return plan;
  }

  private async storedOf(arriving: readonly ArrivingEvent[]): Promise<ReadonlyMap<string, StoredPart>> {
    const spans = new Map<string, { from: number; count: number }>();
    for (const { stream, revision } of arriving) {
      const span = spans.get(stream) ?? { from: revision, count: 0 };
      spans.set(stream, { from: Math.min(span.from, revision), count: span.count + 1 });
    }
    const stored = new Map<string, StoredPart>();
    const queue = [...spans];
    const readers = Array.from({ length: READS_AT_ONCE }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [stream, { from, count }] = next;
        stored.set(stream, await this.partOf(stream, from, count));
      }
    });
    await Promise.all(readers);
    return stored;
  }

  /** Also reads the event before the first; without it, the end of a shorter stream would be unknown. */
  private async partOf(stream: string, from: number, count: number): Promise<StoredPart> {
    const first = Math.max(0, from - 1);
    const events = await this.events.load(stream, { from: first, max: count + from - first });
    return { events, end: events.at(-1)?.revision ?? -1 };
  }
}

const differs = (stream: string, revision: number) =>
  new ApiError('STREAM_DIFFERS', `The stream ${stream} differs at revision ${revision}.`);

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
const MAX_TOGETHER = 100;

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
    if (last?.stream === stream && last.events.length < MAX_TOGETHER) last.events.push(event);
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
