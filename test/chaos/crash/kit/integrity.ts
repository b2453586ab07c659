import Database from 'better-sqlite3';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../kit/polling.js';
import { byStream, type StoredEvent } from '../../../kit/stored-events.js';
import { sha256, type World } from './world.js';

const FINAL = ['JobCompleted', 'JobCancelled', 'JobExpired'];
const AFTER_THE_END = ['LateResultRecorded', 'ContentPurged', 'JobArchived'];
const ENDS_A_LEASE = ['LeaseLapsed', 'LeaseReleased', 'LeaseInvalidated', 'JobRequeued'];

/**
 * Invariants of a store after any crash: acknowledged writes are complete, the read models equal a replay, and
 * each printable job has its document. A crash may leave one document without a job for each create in flight,
 * which the sweep deletes after an hour (torn-files.long.spec.ts).
 */
export async function checkIntegrity(world: World): Promise<void> {
  const events = await world.events();
  expectOrder(events);
  const streams = byStream(events);
  for (const { stream, type } of world.acknowledged) {
    const stored = streams.get(stream)?.map((event) => event.type) ?? [];
    expect({ stream, stored }).toEqual({ stream, stored: expect.arrayContaining([type]) });
  }
  for (const [stream, story] of streams) {
    if (stream.startsWith('job-')) expectWholeJob(story);
    if (stream.startsWith('claim-')) expectClaimedThing(story, streams);
  }
  await expectViewsEqualReplay(world);
  await eventually('documents that no job needs to be gone', () => fewOrphans(world));
  expectDocuments(world.dataDir, byStream(await world.events()));
}

function expectOrder(events: readonly StoredEvent[]): void {
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
  for (let n = 1; n < events.length; n++) expect(events[n]!.position > events[n - 1]!.position).toBe(true);
  for (const story of byStream(events).values()) {
    expect(story.map(({ revision }) => revision)).toEqual(story.map((_, n) => n));
  }
}

/** The table of moves: one lease at a time, at most one hand-off of each, one end. */
function expectWholeJob(story: readonly StoredEvent[]): void {
  const types = story.map(({ type }) => type);
  expect(types.slice(0, 2)).toEqual(['JobCreated', 'JobQueued']);
  const end = types.findIndex((type) => FINAL.includes(type));
  if (end >= 0) expect(types.slice(end + 1).every((type) => AFTER_THE_END.includes(type))).toBe(true);
  let leased = false;
  let handedOff = false;
  for (const type of types) {
    if (type === 'JobLeased') {
      expect({ types, leased }).toEqual({ types, leased: false });
      leased = true;
      handedOff = false;
    } else if (type === 'HandoffStarted') {
      expect({ types, leased, handedOff }).toEqual({ types, leased: true, handedOff: false });
      handedOff = true;
    } else if (ENDS_A_LEASE.includes(type)) leased = false;
  }
}

/** Each claimed key names an existing job. */
function expectClaimedThing(
  claims: readonly StoredEvent[],
  streams: ReadonlyMap<string, readonly StoredEvent[]>,
): void {
  for (const { data } of claims) {
    if (data.kind === 'job-create' || data.kind === 'job-retry') {
      expect(streams.has(`job-${String(data.subject)}`)).toBe(true);
    }
    if (data.kind === 'installation') expect(streams.has(`computer-${String(data.subject)}`)).toBe(true);
  }
}

async function expectViewsEqualReplay(world: World): Promise<void> {
  const { items } = await world.operate('POST', '/views/verify');
  const views = items as { name: string; equal: boolean }[];
  expect(views.length).toBeGreaterThan(5);
  expect(views.filter(({ equal }) => !equal)).toEqual([]);
}

async function fewOrphans(world: World): Promise<true | undefined> {
  const streams = byStream(await world.events());
  const orphans = [...documentsIn(world.dataDir).keys()].filter((id) => !isWanted(streams.get(`job-${id}`)));
  return orphans.length <= world.crashes * world.creators ? true : undefined;
}

function expectDocuments(dataDir: string, streams: ReadonlyMap<string, readonly StoredEvent[]>): void {
  const documents = documentsIn(dataDir);
  for (const [stream, story] of streams) {
    if (!stream.startsWith('job-') || !isWanted(story)) continue;
    const { jobId, contentHash } = story[0]!.data;
    expect({ jobId, hash: documents.get(String(jobId)) }).toEqual({ jobId, hash: contentHash });
  }
}

function isWanted(story: readonly StoredEvent[] | undefined): boolean {
  return story !== undefined && !story.some(({ type }) => type === 'ContentPurged');
}

/** SHA-256 by job of every document, in rows and in files. */
export function documentsIn(dataDir: string): Map<string, string> {
  const db = new Database(join(dataDir, 'rps.db'), { readonly: true });
  const rows = db.prepare('SELECT job_id, bytes FROM contents').raw().all() as [string, Buffer][];
  db.close();
  const documents = new Map(rows.map(([jobId, bytes]) => [jobId, sha256(bytes)]));
  const content = join(dataDir, 'content');
  for (const entry of readdirSync(content, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.endsWith('unfinished')) continue;
    const bytes = readIfThere(join(entry.parentPath, entry.name));
    if (bytes) documents.set(entry.name, sha256(bytes));
  }
  return documents;
}

/** The service may delete a file once its folder was read. */
function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
