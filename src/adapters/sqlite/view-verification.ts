import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { ViewVerification } from '../../ports/view-maintenance.port.js';
import { EventCodec } from '../../event-sourcing/write/event-codec.js';
import { birthFromNumber } from '../../event-sourcing/projections/projection-runner.js';
import { ViewDigest } from '../../event-sourcing/projections/view-digest.js';
import { openForReading, openScratch, type Connection } from './connection.js';
import { ViewReplay } from './view-replay.js';
import { ViewRegistry } from './view-registry.js';
import { tableName } from './view-table.js';
import { ViewTables } from './view-tables.js';
import type { Projections } from './writer.js';

const CACHED_DOCUMENTS = 4_000;
const EVENTS_PER_STEP = 20_000;
const SHADOW = 'verification.db';

interface Side {
  readonly db: Connection;
  readonly table: string;
}

/** Compares every view of a folder with a replay, all at one position. Synchronous and long. */
export function verifyViews(dataDir: string, projected: Projections): ViewVerification[] {
  const file = join(dataDir, SHADOW);
  rmSync(file, { force: true });
  const live = openForReading(dataDir);
  const shadow = openScratch(file);
  try {
    live.exec('BEGIN');
    return compareWithReplay(live, shadow, projected);
  } finally {
    live.close();
    shadow.close();
    rmSync(file, { force: true });
  }
}

/** Replays all events into the shadow and compares each view. */
export function compareWithReplay(
  live: Connection,
  shadow: Connection,
  { projections, upcasters }: Projections,
): ViewVerification[] {
  const choices = projections.map((projection) => ({ projection, table: tableName(projection.view, 0) }));
  const tables = new ViewTables(shadow, choices, CACHED_DOCUMENTS);
  const replay = new ViewReplay(live, tables, new EventCodec(upcasters));
  while (shadow.transaction(() => replay.step(EVENTS_PER_STEP))() > 0);
  const registry = new ViewRegistry(live);
  return projections.map(({ view }) =>
    compare(view, { db: live, table: registry.tableOf(view) }, { db: shadow, table: tableName(view, 0) }),
  );
}

function compare(view: ViewDefinition, live: Side, replay: Side): ViewVerification {
  const live_digest = digestOf(view, live);
  const replay_digest = digestOf(view, replay);
  const documents = live.db.prepare(`SELECT count(*) FROM ${live.table}`).pluck().get() as number;
  return { name: view.name, equal: live_digest === replay_digest, documents, live_digest, replay_digest };
}

/** Digest of documents and totals. */
function digestOf(view: ViewDefinition, { db, table }: Side): string {
  const digest = new ViewDigest(view);
  const documents = db.prepare(`SELECT birth, id, doc FROM ${table} ORDER BY birth`).raw();
  for (const row of documents.iterate()) {
    const [birth, id, doc] = row as [number, string, string];
    digest.add(digest.line(id, birthFromNumber(birth), JSON.parse(doc) as ViewDocument));
  }
  const totals = db
    .prepare('SELECT key, n FROM counts WHERE view_table = ? AND n <> 0 ORDER BY key')
    .raw()
    .all(table) as [string, number][];
  for (const [key, n] of totals) digest.add(`${key} ${n}\n`);
  return digest.result();
}
