import type { Statement } from 'better-sqlite3';
import { idFrom } from './document-form.js';
import type { Connection } from './connection.js';

/** Queries must repeat this filter literally to use the index. */
export const UNINDEXED = 'young = 1';
export const INDEXED = 'young IS NULL';

export function fromUnindexedSql(table: string): string {
  return `FROM ${table} INDEXED BY ${table}_young WHERE ${UNINDEXED}`;
}

export function unindexedIndexSql(table: string): string {
  return `CREATE INDEX IF NOT EXISTS ${table}_young ON ${table} (young) WHERE ${UNINDEXED}`;
}

/**
 * Saves a third of the pages written a life, because new documents change often
 * (docs/decisions/067-unindexed-rows.md).
 */
export class UnindexedRows {
  private readonly select: Statement;
  private readonly addToIndexes: Statement;
  /** Ids by row; loaded on demand. */
  private cached: Map<number, string> | undefined;

  /** @param max 0 indexes each row at once */
  constructor(
    db: Connection,
    table: string,
    private readonly max: number,
  ) {
    this.select = db.prepare(`SELECT birth, id FROM ${table} WHERE ${UNINDEXED} ORDER BY birth`).raw();
    this.addToIndexes = db.prepare(`UPDATE ${table} SET young = NULL WHERE ${UNINDEXED} AND birth <= ?`);
  }

  get isOff(): boolean {
    return this.max === 0;
  }

  has(row: number): boolean {
    return this.ids.has(row);
  }

  add(row: number, id: string): void {
    this.ids.set(row, id);
  }

  delete(row: number): void {
    this.ids.delete(row);
  }

  /** Above the limit: indexes the older half, or `all`; returns their ids. */
  index(all: boolean): readonly string[] {
    const { ids, max } = this;
    if (ids.size <= (all ? 0 : max)) return [];
    const inOrder = [...ids].sort(([a], [b]) => a - b);
    const oldest = inOrder.slice(0, all ? ids.size : ids.size - max / 2);
    this.addToIndexes.run(oldest.at(-1)![0]);
    for (const [row] of oldest) ids.delete(row);
    return oldest.map(([, id]) => id);
  }

  invalidate(): void {
    this.cached = undefined;
  }

  private get ids(): Map<number, string> {
    return (this.cached ??= new Map(
      (this.select.all() as [number, unknown][]).map(([row, id]) => [row, idFrom(id)]),
    ));
  }
}
