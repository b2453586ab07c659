import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { ProjectedPayloads } from '../../src/api/resources/projected-payloads.js';
import { changeIndexOf } from '../../src/app/change-index.js';
import { evidenceLogOf } from '../../src/app/evidence.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { SystemRandomness } from '../../src/app/system/system-randomness.js';
import { Claim, claimId, claims } from '../../src/contexts/claims/index.js';
import { defaultJobPolicy } from '../../src/contexts/jobs/index.js';
import { makeJobAggregate } from '../../src/contexts/jobs/job.aggregate.js';
import { NoteKey } from '../../src/evidence/signed-note.js';
import { instant, plus } from '../../src/kernel/time.js';
import type { Origin } from '../../src/kernel/recorded-event.js';
import { AggregateStore } from '../../src/event-sourcing/write/aggregate-store.js';
import { given, report } from '../programs/program.js';
import { costOf, memoryOf, usageOf, type Cost } from '../programs/usage.js';
import { commandsOf, type Cast } from './job-story.js';

export interface LivesParameters {
  readonly dataDir: string;
  readonly jobs: number;
  readonly inFlight: number;
  readonly rounds: number;
  /** With the index of changes, by account and partner, or with the evidence log in its thread. */
  readonly beside?: 'changes' | 'evidence';
  /** Without the projections of the charts. */
  readonly withoutCharts?: boolean;
  /** Without the steps of the Agent. */
  readonly onlyCreates?: boolean;
}

export interface LivesReport {
  readonly perSecond: readonly number[];
  readonly costs: readonly Cost[];
  readonly rssMb: number;
  readonly appendsPerCommit: number;
  /** Size of the database, and KB written to disk, for each job. */
  readonly bytesPerJob: number;
  readonly kbPerJob: number;
}

const DAY_MS = 86_400_000;
const DOCUMENT = Buffer.alloc(300, 'a');
const WARM_UP = 0.25;

const { dataDir, jobs, inFlight, rounds, beside, ...asked } = given<LivesParameters>();
const PROJECTIONS = asked.withoutCharts ? './no-charts.js' : '../../src/app/configured-projections.js';

const commits = { count: 0, appends: 0 };
const stores = await openEmbeddedStores({
  dataDir,
  projectionsUrl: new URL(PROJECTIONS, import.meta.url).href,
  clock: new SystemClock(),
  ...(beside === 'evidence' && { readingUrl: import.meta.resolve('../../src/evidence/log-builder.js') }),
  metrics: {
    appended: () => undefined,
    committed: (appends) => {
      commits.count++;
      commits.appends += appends;
    },
  },
});
const aggregates = new AggregateStore(stores.events, new SystemRandomness());
const job = makeJobAggregate(defaultJobPolicy);
const cast: Cast = { accountId: v7(), computerId: v7(), printerIds: Array.from({ length: 20 }, () => v7()) };
const payloads = new ProjectedPayloads(stores.events);
const logger = pino({ level: 'warn' });
const index = beside === 'changes' && changeIndexOf({ stores, clock: new SystemClock(), logger, payloads });
if (index) {
  const at = instant(Date.now());
  const by: Origin = { actor: { kind: 'partner', id: v7() }, correlationId: v7() };
  const plan = { jobsPerMonth: null, maxContentBytes: 1_000_000, maxAutoRetries: 3 };
  const data = {
    ...cast,
    partnerId: by.actor.id,
    name: 'Bench',
    slug: 'bench',
    virtualPrintersOnly: false,
    plan,
  };
  await stores.events.append({
    stream: `account-${cast.accountId}`,
    expected: 'no_stream',
    events: [{ id: v7(), type: 'AccountOpened', data, metadata: { ...by, at, schemaVersion: 1 } }],
  });
  index.start();
  index.keeper.start();
}

const log =
  beside === 'evidence' &&
  evidenceLogOf(
    {
      ...{ stores, clock: new SystemClock(), randomness: new SystemRandomness(), logger },
      config: { evidenceIntervalMs: 300_000, publicUrl: undefined },
    },
    new NoteKey(Buffer.alloc(32, 1)),
  );
if (log) log.start();

/** Like SubmitJob: a claim that is not read first, content, job; then the agent's five steps, each durable before the next. */
async function live(n: number): Promise<void> {
  const jobId = v7();
  const at = instant(Date.now());
  const by: Origin = { actor: { kind: 'api_key', id: cast.accountId }, correlationId: v7(), requestId: v7() };
  const [create, ...steps] = commandsOf(cast, n, jobId, at, by);
  const claim = claimId('job-create', 'integration', cast.accountId, jobId);
  const wish = new Claim({
    claimKind: 'job-create',
    subject: jobId,
    fingerprint: 'fingerprint',
    expiresAt: plus(at, DAY_MS),
    at,
    by,
  });
  const claimed = await aggregates.plan(claims, claim, wish, { assumeNew: true });
  const created = await aggregates.plan(job, jobId, create!, { assumeNew: true });
  if (!claimed.ok || !created.ok) throw new Error('a new job was refused');
  await stores.contents.putThen(jobId, DOCUMENT, () =>
    aggregates.appendInOrder([claimed.planned, created.planned]),
  );
  for (const step of asked.onlyCreates ? [] : steps) {
    const outcome = await aggregates.execute(job, jobId, step);
    if (!outcome.ok) throw new Error(`${step.kind} was refused: ${outcome.rejection.code}`);
  }
}

async function liveAll(count: number): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await live(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

await liveAll(jobs * WARM_UP);
commits.count = commits.appends = 0;
const perSecond: number[] = [];
const costs: Cost[] = [];
for (let round = 0; round < rounds; round++) {
  const before = usageOf(process.pid);
  const start = performance.now();
  await liveAll(jobs);
  perSecond.push((jobs * 1000) / (performance.now() - start));
  costs.push(costOf(before, usageOf(process.pid), jobs));
}
const { now: rssMb } = memoryOf(process.pid);
const all = jobs * (rounds + WARM_UP);
const written = Number(/^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0);
if (index) {
  await index.keeper.stop();
  await index.stop();
}
if (log) await log.stop();
await stores.close();
report<LivesReport>({
  perSecond,
  costs,
  rssMb,
  appendsPerCommit: commits.appends / commits.count,
  bytesPerJob: statSync(join(dataDir, 'rps.db')).size / all,
  kbPerJob: written / 1024 / all,
});
