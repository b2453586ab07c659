import type { Statement } from 'better-sqlite3';
import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { DocumentWrite } from '../../runtime/projection-runner.js';
import type { Scalar } from '../../ports/view-store.port.js';
import { scalarOf, type Combination } from '../../runtime/view-index.js';
import type { Connection } from './connection.js';

/** Key of a total: the fields and the values they have, with type and length: `account_id=s36:…,urgent=t,`. */
export function countKey(fields: readonly string[], values: Combination): string {
  let key = '';
  for (let n = 0; n < fields.length; n++) key += `${fields[n]}=${keyPart(values[n]!)},`;
  return key;
}

function keyPart(value: Scalar): string {
  if (typeof value === 'string') return `s${value.length}:${value}`;
  return value === null ? 'n' : value ? 't' : 'f';
}

/** Keeps the totals of one view table; differences are gathered over a batch and written at its end. */
export class ViewCounts {
  private readonly differences = new Map<string, number>();
  private readonly add: Statement;

  constructor(
    db: Connection,
    private readonly view: ViewDefinition,
    private readonly table: string,
  ) {
    this.add = db.prepare(`
      INSERT INTO counts (view_table, key, n) VALUES (?, ?, ?)
      ON CONFLICT (view_table, key) DO UPDATE SET n = n + excluded.n`);
  }

  note({ before, after }: Omit<DocumentWrite, 'view'>): void {
    for (const fields of this.view.countBy ?? []) {
      if (before && after && sameValues(fields, before.document, after.document)) continue;
      if (before) this.change(fields, before.document, -1);
      if (after) this.change(fields, after.document, 1);
    }
  }

  flush(): void {
    for (const [key, difference] of this.differences) {
      if (difference !== 0) this.add.run(this.table, key, difference);
    }
    this.differences.clear();
  }

  forget(): void {
    this.differences.clear();
  }

  private change(fields: readonly string[], document: ViewDocument, by: number): void {
    const values = fields.map((field) => scalarOf(document, field));
    const key = countKey(fields, values);
    this.differences.set(key, (this.differences.get(key) ?? 0) + by);
  }
}

function sameValues(fields: readonly string[], a: ViewDocument, b: ViewDocument): boolean {
  return fields.every((field) => scalarOf(a, field) === scalarOf(b, field));
}
