import type { Statement } from 'better-sqlite3';
import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { DocumentWrite } from '../../event-sourcing/projections/projection-runner.js';
import type { Scalar } from '../../ports/view-store.port.js';
import { scalarOf, type Combination } from '../../event-sourcing/projections/view-index.js';
import type { Connection } from './connection.js';
import { Recent } from './recent.js';

/** Key of a total: its fields with type, length and value, e.g. `account_id=s36:…,urgent=t,`. */
export function countKey(fields: readonly string[], values: Combination): string {
  let key = '';
  for (let n = 0; n < fields.length; n++) key += `${fields[n]}=${keyPart(values[n]!)},`;
  return key;
}

function keyPart(value: Scalar): string {
  if (typeof value === 'string') return `s${value.length}:${value}`;
  return value === null ? 'n' : value ? 't' : 'f';
}

/** One total: its row id, once known, and the change by the current batch. */
interface Total {
  readonly key: string;
  row?: number;
  difference: number;
}

/** Number of cached row ids. */
const KNOWN_TOTALS = 4_096;

/** Maintains the totals of one view table; writes the changes of a batch at its end. */
export class ViewCounts {
  private readonly known = new Recent<Total>(KNOWN_TOTALS);
  private readonly changed = new Set<Total>();
  private readonly findRow: Statement;
  private readonly insertRow: Statement;
  private readonly add: Statement;

  constructor(
    db: Connection,
    private readonly view: ViewDefinition,
    private readonly table: string,
  ) {
    this.findRow = db.prepare('SELECT id FROM counts WHERE view_table = ? AND key = ?').pluck();
    this.insertRow = db.prepare('INSERT INTO counts (view_table, key, n) VALUES (?, ?, 0)');
    this.add = db.prepare('UPDATE counts SET n = n + ? WHERE id = ?');
  }

  note({ before, after }: Pick<DocumentWrite, 'before' | 'after'>): void {
    for (const fields of this.view.countBy ?? []) {
      if (before && after && sameValues(fields, before.document, after.document)) continue;
      if (before) this.change(fields, before.document, -1);
      if (after) this.change(fields, after.document, 1);
    }
  }

  flush(): void {
    for (const total of this.changed) {
      if (total.difference !== 0) this.add.run(total.difference, (total.row ??= this.rowOf(total.key)));
      total.difference = 0;
    }
    this.changed.clear();
  }

  /** Clears cached row ids after a rollback. */
  forget(): void {
    this.known.clear();
    this.changed.clear();
  }

  private change(fields: readonly string[], document: ViewDocument, by: number): void {
    const values = fields.map((field) => scalarOf(document, field));
    const key = countKey(fields, values);
    let total = this.known.get(key);
    if (!total) this.known.set(key, (total = { key, difference: 0 }));
    total.difference += by;
    this.changed.add(total);
  }

  private rowOf(key: string): number {
    const row = this.findRow.get(this.table, key) as number | undefined;
    return row ?? Number(this.insertRow.run(this.table, key).lastInsertRowid);
  }
}

function sameValues(fields: readonly string[], a: ViewDocument, b: ViewDocument): boolean {
  return fields.every((field) => scalarOf(a, field) === scalarOf(b, field));
}
