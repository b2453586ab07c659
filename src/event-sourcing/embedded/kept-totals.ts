import type { ViewDefinition } from '../../kernel/projection.js';
import type { KeptTotal } from '../ports/view-writer.port.js';
import { forEachCountChange, type KeyRange } from '../projections/view-index.js';
import type { Connection } from './connection.js';
import type { DocumentForm } from './document-form.js';
import { UNINDEXED } from './unindexed-rows.js';

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
