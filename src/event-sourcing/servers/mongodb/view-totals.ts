import { LRUCache } from 'lru-cache';
import { growingTo } from '../../../kernel/cache-size.js';
import type { Collection } from 'mongodb';
import type { Position } from '../../../kernel/recorded-event.js';
import type { CountChange } from '../../ports/view-writer.port.js';
import type { ViewRow } from './view-rows.js';

/** Stored beside the documents it counts. Without a creation position, so lists omit it. */
export interface TotalRow {
  readonly _id: string;
  readonly n: number;
  /** Includes every event up to this position; empty before the first. */
  readonly at: Position;
}

/** Takes effect if the stored total is still at `before`. */
export interface TotalWrite {
  readonly _id: string;
  readonly n: number;
  readonly at: Position;
  readonly before: Position;
}

/** No document of a view has such an id. */
const PREFIX = '$total:';
/** `end` is exclusive. */
export const TOTAL_IDS = { first: PREFIX, end: '$total;' } as const;
const CACHED_TOTALS = 20_000;

export function totalId(key: string): string {
  return PREFIX + key;
}

export function totalKey(_id: string): string {
  return _id.slice(PREFIX.length);
}

/** Totals and documents share a collection, so that one ordered bulk writes both. */
export function totalsIn(rows: Collection<ViewRow>): Collection<TotalRow> {
  return rows as unknown as Collection<TotalRow>;
}

/** A stale cached total is refused when written, then read again. */
export class ViewTotals {
  private readonly cached = new LRUCache<string, TotalRow>(growingTo(CACHED_TOTALS));

  /** Omits totals that include the changes already. */
  async next(rows: Collection<ViewRow>, changes: readonly CountChange[]): Promise<readonly TotalWrite[]> {
    const byId = new Map<string, CountChange[]>();
    for (const change of changes) {
      const same = byId.get(totalId(change.key));
      if (same) same.push(change);
      else byId.set(totalId(change.key), [change]);
    }
    const totals = await this.load(rows, [...byId.keys()]);
    return totals.flatMap((total) => after(total, byId.get(total._id)!) ?? []);
  }

  note(rows: Collection<ViewRow>, writes: readonly TotalWrite[]): void {
    for (const { _id, n, at } of writes) this.cached.set(cacheKey(rows, _id), { _id, n, at });
  }

  invalidate(rows: Collection<ViewRow>, writes: readonly TotalWrite[]): void {
    for (const { _id } of writes) this.cached.delete(cacheKey(rows, _id));
  }

  private async load(rows: Collection<ViewRow>, ids: readonly string[]): Promise<readonly TotalRow[]> {
    const known = new Map(ids.map((_id) => [_id, this.cached.get(cacheKey(rows, _id))]));
    const missing = ids.filter((_id) => known.get(_id) === undefined);
    if (missing.length > 0) {
      const found = totalsIn(rows).find({ _id: { $in: missing } }, { batchSize: missing.length + 1 });
      for (const total of await found.toArray()) known.set(total._id, total);
    }
    return ids.map((_id) => known.get(_id) ?? { _id, n: 0, at: '' });
  }
}

function after({ _id, n, at }: TotalRow, changes: readonly CountChange[]): TotalWrite | undefined {
  const fresh = changes.filter(({ position }) => position > at);
  if (fresh.length === 0) return undefined;
  return {
    _id,
    n: fresh.reduce((sum, { by }) => sum + by, n),
    at: fresh.reduce((last, { position }) => (position > last ? position : last), at),
    before: at,
  };
}

function cacheKey({ collectionName }: Collection<ViewRow>, _id: string): string {
  return `${collectionName} ${_id}`;
}
