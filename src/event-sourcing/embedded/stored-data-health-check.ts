import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { streamOf } from '../../kernel/ids.js';
import type { Milliseconds } from '../../kernel/time.js';
import { type HealthCheck, fail, runCheck, ok, warn } from '../ports/findings.js';
import { decodeEvent } from '../write/event-codec.js';
import { UNFINISHED } from './files/file-content-store.js';
import { databaseFile, openLogForReading, type Connection } from './connection.js';
import { lostArchiveFile } from './log/archive-files.js';
import { LogReader, type EventAt } from './log/log-reader.js';
import { CorruptEventError } from '../../kernel/errors.js';

const EVENTS_PER_PAGE = 1_000;
const DOCUMENTS_PER_PAGE = 100;
const NAMED = 5;
const DOCUMENTS_MS: Milliseconds = 300_000;

/** Content hash, SHA-256 in hex, in the data of a job's first event. */
type HashIn = (created: object) => string | undefined;

/** Verifies every stored event and document against its checksum. Read-only, also while the service runs. */
export async function* storedDataHealthCheck(dataDir: string, hashIn: HashIn): HealthCheck {
  if (!existsSync(databaseFile(dataDir))) return;
  yield await runCheck('database: checksums of events', () => reading(dataDir, events));
  yield await runCheck('documents: hashes', () =>
    reading(dataDir, (db) => documents(db, join(dataDir, 'content'), hashIn)),
  );
}

async function reading<T>(dataDir: string, read: (db: Connection) => T | Promise<T>): Promise<T> {
  const db = openLogForReading(dataDir);
  try {
    return await read(db);
  } finally {
    db.close();
  }
}

function events(db: Connection) {
  const { read, unchecked, damaged } = readEvents(db);
  const untested = unchecked > 0 ? `, ${unchecked} of an older release without a checksum` : '';
  const found = `${read} events read${untested}`;
  if (damaged === undefined) return ok(found);
  return fail(`${found}, ${damaged}: ${lostArchiveFile(db) ?? 'restore a backup'}`);
}

export interface EventsRead {
  readonly read: number;
  /** Of an older release, without a checksum. */
  readonly unchecked: number;
  /** How many, and the first ones; undefined if none is. */
  readonly damaged: string | undefined;
}

export function readEvents(db: Connection): EventsRead {
  let [read, unchecked] = [0, 0];
  const damaged: string[] = [];
  for (const { row, isUnchecked } of pages(db)) {
    read++;
    if (isUnchecked) unchecked++;
    try {
      const event = row();
      if (isUnchecked) decodeEvent(event);
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      damaged.push(error.message);
    }
  }
  const said = damaged.length > 0 ? `${damaged.length} damaged: ${named([...new Set(damaged)])}` : undefined;
  return { read, unchecked, damaged: said };
}

/** Reads pages, because a long snapshot would prevent checkpoints of a running service. */
function* pages(db: Connection): Generator<EventAt> {
  const log = new LogReader(db);
  for (let position = 0; ;) {
    const page = log.eventsAfter(position, EVENTS_PER_PAGE);
    yield* page;
    if (page.length < EVENTS_PER_PAGE) return;
    position = page.at(-1)!.position;
  }
}

async function documents(db: Connection, folder: string, hashIn: HashIn) {
  const hashOf = jobHashes(db, hashIn);
  const began = performance.now();
  const found = { checked: 0, left: 0, damaged: [] as string[] };
  for await (const { jobId, hash } of stored(db, folder)) {
    const expected = hashOf(jobId);
    if (expected === undefined) continue;
    if (performance.now() - began > DOCUMENTS_MS) {
      found.left++;
      continue;
    }
    const actual = await hash();
    if (actual !== undefined) found.checked++;
    if (actual !== undefined && actual !== expected) found.damaged.push(`job ${jobId}`);
  }
  const read = `${found.checked} documents read`;
  if (found.damaged.length > 0)
    return fail(`${read}, ${found.damaged.length} damaged: ${named(found.damaged)}: these jobs cannot print`);
  return found.left === 0 ? ok(read) : warn(`${read}, no time for ${found.left} more`);
}

interface StoredDocument {
  readonly jobId: string;
  /** Undefined if the document was deleted meanwhile. */
  readonly hash: () => Promise<string | undefined>;
}

async function* stored(db: Connection, folder: string): AsyncGenerator<StoredDocument> {
  const select = db
    .prepare(
      `SELECT job_id, bytes FROM contents WHERE job_id > ? ORDER BY job_id LIMIT ${DOCUMENTS_PER_PAGE}`,
    )
    .raw();
  for (let after = '', page: [string, Uint8Array][]; ; after = page.at(-1)![0]) {
    page = select.all(after) as [string, Uint8Array][];
    for (const [jobId, bytes] of page)
      yield { jobId, hash: async () => createHash('sha256').update(bytes).digest('hex') };
    if (page.length < DOCUMENTS_PER_PAGE) break;
  }
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name === UNFINISHED) continue;
    for (const jobId of readdirSync(join(folder, name)))
      yield { jobId, hash: () => hashOfFile(join(folder, name, jobId)) };
  }
}

async function hashOfFile(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return hash.digest('hex');
}

/** Undefined for a document without a job, or with a damaged event. */
function jobHashes(db: Connection, hashIn: HashIn): (jobId: string) => string | undefined {
  const log = new LogReader(db);
  return (jobId) => {
    try {
      const [created] = log.load(streamOf('job', jobId), 0, 1);
      return created && hashIn(JSON.parse(created.data) as object);
    } catch {
      return undefined;
    }
  };
}

function named(damaged: readonly string[]): string {
  const more = damaged.length - NAMED;
  return `${damaged.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
