import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewVerification } from '../../ports/view-maintenance.port.js';
import { EventCodec } from '../../event-sourcing/write/event-codec.js';
import { compareViews, type ViewContents } from '../../event-sourcing/projections/view-comparison.js';
import { openForReading, openScratch, type Connection } from './connection.js';
import { DocumentCodec } from './document-codec.js';
import { ViewReplay } from './view-replay.js';
import { ViewRegistry } from './view-registry.js';
import { tableName } from './view-table.js';
import { ViewTables } from './view-tables.js';
import type { Projections } from './writer.js';

const CACHED_DOCUMENTS = 4_000;
const EVENTS_PER_STEP = 20_000;
const SHADOW = 'verification.db';

/** Compares every view of a folder with a replay, all at one position. Keeps its thread busy. */
export async function verifyViews(dataDir: string, projected: Projections): Promise<ViewVerification[]> {
  const file = join(dataDir, SHADOW);
  rmSync(file, { force: true });
  const live = openForReading(dataDir);
  const shadow = openScratch(file);
  try {
    live.exec('BEGIN');
    return await compareWithReplay(live, shadow, projected);
  } finally {
    live.close();
    shadow.close();
    rmSync(file, { force: true });
  }
}

/** Replays all events into the shadow and compares each view. */
export async function compareWithReplay(
  live: Connection,
  shadow: Connection,
  { projections, upcasters }: Projections,
): Promise<ViewVerification[]> {
  const choices = projections.map((projection) => ({ projection, table: tableName(projection.view, 0) }));
  const tables = new ViewTables(shadow, choices, CACHED_DOCUMENTS);
  const replay = new ViewReplay(live, tables, new EventCodec(upcasters), EVENTS_PER_STEP);
  while (!shadow.transaction(() => replay.step())());
  const registry = new ViewRegistry(live);
  const results: ViewVerification[] = [];
  for (const { view } of projections) {
    const active = contentsOf(live, registry.tableOf(view));
    results.push(await compareViews(view, active, contentsOf(shadow, tableName(view, 0))));
  }
  return results;
}

function contentsOf(db: Connection, table: string): ViewContents {
  const totals = db
    .prepare('SELECT key, n FROM counts WHERE view_table = ? AND n <> 0 ORDER BY key')
    .raw()
    .all(table) as [string, number][];
  return { documents: new DocumentCodec(db).documents(table), totals };
}
