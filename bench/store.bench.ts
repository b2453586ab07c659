import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { SystemClock } from '../src/adapters/system/system-clock.js';
import { openEmbeddedStores } from '../src/adapters/sqlite/open-embedded-stores.js';
import type { EventMetadata } from '../src/kernel/recorded-event.js';
import { instant, plus } from '../src/kernel/time.js';
import type { Stores } from '../src/ports/stores.js';
import type { NewEvent } from '../src/ports/event-store.port.js';

/**
 * The embedded stores alone, under the projections of the service: whole job lives (5 appends, 7 events), then what
 * a start and a rebuild cost. `node dist/bench/store.bench.js [jobs] [in flight]`
 */
const JOBS = Number(process.argv[2] ?? 20_000);
const IN_FLIGHT = Number(process.argv[3] ?? 256);
const PROJECTIONS =
  process.argv[4] ?? new URL('../src/composition/configured-projections.js', import.meta.url).href;

const account = v7();
const printers = Array.from({ length: 20 }, () => ({ printer: v7(), computer: v7() }));

function step(type: string, data: object, by: string): NewEvent {
  const metadata: EventMetadata = {
    actor: { kind: 'device', id: by },
    correlationId: v7(),
    requestId: v7(),
    at: instant(Date.now()),
    schemaVersion: 1,
  };
  return { id: v7(), type, data, metadata };
}

/** A job from its creation to the last word of the spooler. */
async function life({ events }: Stores, n: number, steps: number): Promise<void> {
  const jobId = v7();
  const { printer, computer } = printers[n % printers.length]!;
  const lease = { leaseId: v7(), fence: 1 };
  const now = instant(Date.now());
  const later = plus(now, 60_000);
  const transitions = [
    [
      step('JobCreated', description(jobId, printer, computer, n, later), account),
      step('JobQueued', {}, account),
    ],
    [step('JobLeased', { ...lease, computerId: computer, sessionId: v7(), leaseUntil: later }, computer)],
    [step('JobAccepted', { ...lease, graceUntil: later, graceAtMost: later }, computer)],
    [
      step('HandoffStarted', { ...lease, startedAt: now, silentAt: later }, computer),
      step('JobSpooled', { ...lease, reportId: v7(), spooledAt: now, silentAt: later }, computer),
    ],
    [step('JobCompleted', { ...lease, reportId: v7(), completedAt: now, contentUntil: later }, computer)],
  ];
  let expected = -1;
  for (const transition of transitions.slice(0, steps)) {
    const { revision } = await events.append({
      stream: `job-${jobId}`,
      expected: expected < 0 ? 'no_stream' : expected,
      events: transition,
    });
    expected = revision;
  }
}

function description(
  jobId: string,
  printerId: string,
  computerId: string,
  n: number,
  expiresAt: string,
): object {
  return {
    jobId,
    accountId: account,
    printerId,
    printerCode: 'front-desk',
    printerName: 'Front desk',
    computerId,
    computerName: 'RECEPTION-1',
    externalId: `order-${n}`,
    title: `Order ${n}`,
    contentType: 'pdf',
    contentHash: 'c0ffee'.repeat(10).padEnd(64, '0'),
    contentSizeBytes: 300,
    copies: 1,
    maxAutoRetries: 5,
    source: 'integration',
    expiresAt,
  };
}

async function inFlight(total: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < total) await work(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}

async function timed<T>(name: string, count: number, work: () => Promise<T>): Promise<T> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const rss = Math.round(process.memoryUsage.rss() / 1e6);
  const perThousand = (((user + system) / 1e6) * 1000) / count;
  process.stdout.write(
    `${name.padEnd(34)} ${(count / seconds).toFixed(0).padStart(8)}/s  ${seconds.toFixed(2)} s  ` +
      `${perThousand.toFixed(3)} CPU-s per 1000  rss ${rss} MB\n`,
  );
  return result;
}

const dataDir = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'rps-bench-'));
const commits: number[] = [];
let busy = 0;
const open = () =>
  openEmbeddedStores({
    dataDir,
    projectionsUrl: PROJECTIONS,
    clock: new SystemClock(),
    metrics: {
      appended: () => undefined,
      committed: (appends, seconds) => {
        commits.push(appends);
        busy += seconds;
      },
    },
  });

const stores = await open();
await timed('warm-up lives', 2_000, () => inFlight(2_000, (n) => life(stores, n, 5)));
commits.length = busy = 0;
await timed('whole lives (5 appends, 7 events)', JOBS, () => inFlight(JOBS, (n) => life(stores, n, 5)));
process.stdout.write(
  `  ${commits.length} commits, ${((busy * 1e6) / (JOBS * 5)).toFixed(1)} us of writer per append\n`,
);
commits.length = busy = 0;
await timed('creates (1 append, 2 events)', JOBS, () => inFlight(JOBS, (n) => life(stores, n, 1)));
process.stdout.write(
  `  ${commits.length} commits, ${((busy * 1e6) / JOBS).toFixed(1)} us of writer per append\n`,
);
const events = Number(await stores.events.head());
const views = await stores.maintenance.list();
await timed('rebuild of all views, live (events)', events, async () => {
  await Promise.all(views.map(({ name }) => stores.maintenance.rebuild(name)));
});
await stores.close();
await (await timed('start (jobs)', JOBS * 2, open)).close();
rmSync(dataDir, { recursive: true, force: true });
