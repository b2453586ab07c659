import type { Statement } from 'better-sqlite3';
import type { ViewDefinition } from '../../kernel/projection.js';
import type { DocumentWrite } from '../projections/projection-runner.js';
import type { KeptTotal } from '../ports/view-writer.port.js';
import { forEachCountChange, type KeyRange } from '../projections/view-index.js';
import type { Connection } from './connection.js';
import type { DocumentForm } from './document-form.js';
import { UNINDEXED } from './unindexed-rows.js';

/** Writes the changes of a batch at its end. */
export class ViewCounts {
  private readonly changes = new Map<string, number>();
  private readonly add: Statement;

  constructor(
    db: Connection,
    private readonly view: ViewDefinition,
    private readonly table: string,
  ) {
    this.add = db.prepare(
      `INSERT INTO counts (view_table, key, n) VALUES (?, ?, ?)
       ON CONFLICT (view_table, key) DO UPDATE SET n = n + excluded.n`,
    );
  }

  note({ before, after }: Pick<DocumentWrite, 'before' | 'after'>): void {
    forEachCountChange(this.view.countBy ?? [], before?.document, after?.document, (key, by) =>
      this.changes.set(key, (this.changes.get(key) ?? 0) + by),
    );
  }

  flush(): void {
    for (const [key, by] of this.changes) if (by !== 0) this.add.run(this.table, key, by);
    this.changes.clear();
  }

  invalidate(): void {
    this.changes.clear();
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
