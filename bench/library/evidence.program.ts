import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { evidenceLogOf } from '../../src/app/evidence.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { SystemRandomness } from '../../src/app/system/system-randomness.js';
import { auditLog } from '../../src/evidence/audit.js';
import { entryOf, isLogged, leafHash } from '../../src/evidence/entry.js';
import { EvidenceExport } from '../../src/evidence/exports.js';
import { LogBuilder } from '../../src/evidence/log-builder.js';
import { PublishedLog } from '../../src/evidence/published-log.js';
import { NoteKey } from '../../src/evidence/signed-note.js';
import { given, report } from '../programs/program.js';
import { fill } from './fill.js';
import type { Cast } from './job-story.js';

export interface EvidenceParameters {
  readonly dataDir: string;
  readonly accounts: number;
  readonly jobs: number;
  readonly rounds: number;
}

/** CPU-seconds of each round, and bytes. */
export interface EvidenceReport {
  readonly events: number;
  /** Forming and hashing bodies and entries, without reading them. */
  readonly hashing: readonly number[];
  readonly builder: readonly number[];
  readonly audit: readonly number[];
  /** Processes of verify.mjs: the file of an account, and that of a job. */
  readonly verifyAccount: readonly number[];
  readonly verifyJob: readonly number[];
  readonly accountEvents: number;
  readonly hashBytes: number;
  readonly jobBytes: number;
  /** Of the file of an account, for each event, beside the bodies. */
  readonly besideBodies: number;
}

const PAGE = 256;
const TICKS_PER_SECOND = 100;
/** Every tenth job is of the first account, whose file is verified. */
const OF_FIRST = 10;
const VERIFIER = fileURLToPath(new URL('../../../verifier/verify.mjs', import.meta.url));

const { dataDir, accounts, jobs, rounds } = given<EvidenceParameters>();
const casts = Array.from({ length: accounts }, (): Cast => ({
  ...{ accountId: v7(), computerId: v7(), printerIds: [v7()] },
}));
await fill(dataDir, (n) => casts[n % OF_FIRST === 1 ? 0 : n % accounts]!, jobs);
const stores = await openEmbeddedStores({
  dataDir,
  projectionsUrl: new URL('./no-projections.js', import.meta.url).href,
  clock: new SystemClock(),
});
const { texts, hashes } = stores;
const key = new NoteKey(Buffer.alloc(32, 1));
const log = evidenceLogOf(
  {
    ...{ stores, clock: new SystemClock(), randomness: new SystemRandomness() },
    ...{ config: { evidenceIntervalMs: 0, publicUrl: undefined }, logger: pino({ level: 'warn' }) },
  },
  key,
);

/** CPU-seconds of this process. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function build(): Promise<void> {
  const builder = new LogBuilder(stores);
  while (!(await builder.advance()).isAtEnd) await setImmediate();
}

async function hashAll(): Promise<number> {
  let seconds = 0;
  for (let after: string | undefined; ;) {
    const page = await texts.after(after, PAGE);
    seconds += await cpuOf(async () => {
      let prev: string | undefined;
      for (const [seq, text] of page.texts.entries())
        if (isLogged(text.stream))
          prev = leafHash(entryOf({ account: casts[0]!.accountId, seq, prev }, text));
    });
    if (page.isLast) return seconds;
    after = page.end;
  }
}

/** CPU-seconds of the processes that this one has waited for (proc(5), cutime and cstime). */
function cpuOfChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** Seconds are counted in steps of 10 ms, so some runs are measured together. */
const RUNS = 5;
function verify(file: string, vkey: string): number {
  const before = cpuOfChildren();
  for (let n = 0; n < RUNS; n++) {
    const { status, stdout } = spawnSync(process.execPath, [VERIFIER, '--vkey', vkey, file], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`a file was refused: ${stdout}`);
  }
  return (cpuOfChildren() - before) / RUNS;
}

async function saved(name: string, pieces: AsyncIterable<string> | undefined) {
  let text = '';
  for await (const piece of pieces!) text += piece;
  const file = join(dataDir, name);
  writeFileSync(file, text);
  const bodies = [...text.matchAll(/^body (.*)$/gm)].reduce(
    (sum, [, body]) => sum + Buffer.byteLength(body!),
    0,
  );
  const events = text.match(/^entry /gm)!.length;
  return { file, events, bytes: Buffer.byteLength(text), bodies };
}

await log.publish();
const published = (await new PublishedLog(texts, hashes, key).newest())!;
const { size: events, origin } = published.checkpoint;
const source = new EvidenceExport(published, texts, hashes);
const account = await saved('account.rps', await source.account(casts[0]!.accountId, {}));
const [, streamOfJob = ''] = /^entry .* (job-\S+) \d+ \S+$/m.exec(readFileSync(account.file, 'utf8')) ?? [];
const job = await saved('job.rps', await source.stream(streamOfJob));

const measured = { hashing: [], builder: [], audit: [], verifyAccount: [], verifyJob: [] } as Record<
  'hashing' | 'builder' | 'audit' | 'verifyAccount' | 'verifyJob',
  number[]
>;
for (let round = 0; round < rounds; round++) {
  await hashes.clear();
  measured.builder.push(await cpuOf(build));
  measured.hashing.push(await hashAll());
  measured.audit.push(await cpuOf(() => auditLog(stores)));
  measured.verifyAccount.push(verify(account.file, key.vkey(origin)));
  measured.verifyJob.push(verify(job.file, key.vkey(origin)));
}
await stores.close();
report<EvidenceReport>({
  ...{ events, ...measured, accountEvents: account.events, jobBytes: job.bytes },
  hashBytes: statSync(join(dataDir, 'evidence.db')).size / events,
  besideBodies: (account.bytes - account.bodies) / account.events,
});
