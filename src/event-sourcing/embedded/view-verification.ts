import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyProjection, ViewDefinition } from '../../kernel/projection.js';
import type { ViewVerification } from '../ports/view-store.port.js';
import { askedFields } from '../projections/view-index.js';
import { compareViews, type ContainedDocument, type ViewContents } from '../projections/view-comparison.js';
import { openForReading, openScratch, type Connection } from './connection.js';
import { DocumentForm } from './document-form.js';
import { keptTotals } from './view-counts.js';
import { ViewReplay, ViewTables } from './view-tables.js';
import { ViewRegistry } from './view-registry.js';
import { columnOf, columnValue, tableName, type Column } from './view-table.js';

const CACHED_DOCUMENTS = 8_000;
const EVENTS_PER_STEP = 20_000;
const SHADOW = 'verification.db';

/** Compares all views at one position. Keeps its thread busy. */
export async function verifyViews(
  dataDir: string,
  projections: readonly AnyProjection[],
): Promise<ViewVerification[]> {
  const file = join(dataDir, SHADOW);
  rmSync(file, { force: true });
  const live = openForReading(dataDir);
  const shadow = openScratch(file);
  try {
    live.exec('BEGIN');
    return await compareWithReplay(live, shadow, projections);
  } finally {
    live.close();
    shadow.close();
    rmSync(file, { force: true });
  }
}

export async function compareWithReplay(
  live: Connection,
  shadow: Connection,
  projections: readonly AnyProjection[],
): Promise<ViewVerification[]> {
  const choices = projections.map((projection) => ({ projection, table: tableName(projection.view, 0) }));
  const tables = new ViewTables(shadow, choices, { cachedDocuments: CACHED_DOCUMENTS });
  const replay = new ViewReplay(live, tables, EVENTS_PER_STEP);
  while (!shadow.transaction(() => replay.step())());
  const registry = new ViewRegistry(live);
  const results: ViewVerification[] = [];
  for (const { view } of projections) {
    const active = contentsOf(live, view, registry.tableOf(view));
    results.push(await compareViews(view, active, contentsOf(shadow, view, tableName(view, 0))));
  }
  return results;
}

function contentsOf(db: Connection, view: ViewDefinition, table: string): ViewContents {
  const totals = keptTotals({ db, form: new DocumentForm(db), view, table });
  return { documents: checkedDocuments(db, view, table), totals };
}

/** A mismatch between document and columns makes lists wrong. */
function* checkedDocuments(
  db: Connection,
  view: ViewDefinition,
  table: string,
): Generator<ContainedDocument> {
  const fields = askedFields(view);
  for (const one of new DocumentForm(db).documents(table, { columns: fields.map(columnOf) })) {
    const columns = one.columns as readonly Column[];
    const wrong = fields.filter((field, n) => !isSame(columns[n]!, columnValue(one.document, field)));
    yield wrong.length === 0 ? one : { ...one, document: { ...one.document, wrong_columns: wrong } };
  }
}

function isSame(a: Column, b: Column): boolean {
  return a === b || (a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0);
}
