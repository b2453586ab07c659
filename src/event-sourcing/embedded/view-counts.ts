import type { Statement } from 'better-sqlite3';
import type { ViewDefinition } from '../../kernel/projection.js';
import type { DocumentWrite } from '../projections/projection-runner.js';
import type { KeptTotal } from '../ports/view-writer.port.js';
import { forEachCountChange, type KeyRange } from '../projections/view-index.js';
import type { Connection } from './connection.js';
import type { DocumentForm } from './document-form.js';
import { UNINDEXED } from './unindexed-rows.js';
import { TwoGenerationCache } from '../../kernel/two-generation-cache.js';

/** The row id, once known, and the change by the current batch. */
interface Total {
  readonly key: string;
  row?: number;
  difference: number;
}

const KNOWN_TOTALS = 4_096;

/** Writes the changes of a batch at its end. */
export class ViewCounts {
  private readonly known = new TwoGenerationCache<string, Total>(KNOWN_TOTALS);
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
    forEachCountChange(this.view.countBy ?? [], before?.document, after?.document, this.change);
  }

  flush(): void {
    for (const total of this.changed) {
      if (total.difference !== 0) this.add.run(total.difference, (total.row ??= this.rowOf(total.key)));
      total.difference = 0;
    }
    this.changed.clear();
  }

  invalidate(): void {
    this.known.clear();
    this.changed.clear();
  }

  private readonly change = (key: string, by: 1 | -1): void => {
    let total = this.known.get(key);
    if (!total) this.known.set(key, (total = { key, difference: 0 }));
    total.difference += by;
    this.changed.add(total);
  };

  private rowOf(key: string): number {
    const row = this.findRow.get(this.table, key) as number | undefined;
    return row ?? Number(this.insertRow.run(this.table, key).lastInsertRowid);
  }
}

interface TotalsSource {
  readonly db: Connection;
  readonly form: DocumentForm;
  readonly view: ViewDefinition;
  readonly table: string;
}

const ALL: KeyRange = { from: '', end: '~' };

/** By ascending key, without zeros. Adds the unindexed rows, which the table `counts` lacks. */
export function keptTotals({ db, form, view, table }: TotalsSource, range = ALL): readonly KeptTotal[] {
  const kept = db
    .prepare('SELECT key, n FROM counts WHERE view_table = ? AND key >= ? AND key < ?')
    .raw()
    .all(table, range.from, range.end);
  const totals = new Map(kept as KeptTotal[]);
  const add = (key: string) => {
    if (key >= range.from && key < range.end) totals.set(key, (totals.get(key) ?? 0) + 1);
  };
  for (const { document } of form.documents(table, { where: UNINDEXED }))
    forEachCountChange(view.countBy ?? [], undefined, document, add);
  return [...totals].filter(([, n]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
}
