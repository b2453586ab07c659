import { SmallDisk } from '../../kit/log-targets.js';
import { pause, within } from '../../kit/polling.js';
import { PrintingSite } from '../../kit/printing-site.js';
import { shiftedClock } from '../../kit/shifted-clock.js';

const JOBS = 12;
const HOUR_MS = 3_600_000;
const STORAGE = 74;
const ENDS = ['spooler_completed', 'manual_review'];
/** Statuses in which the service expects nothing of a silent agent. */
const AT_REST = ['queued', 'failed', ...ENDS];
const WITHIN_MS = 90_000;

describe('an agent on a computer in trouble', () => {
  let site: PrintingSite;

  afterEach(() => site.close());

  const ended = () => site.until((jobs) => jobs.every(({ status }) => ENDS.includes(status)), WITHIN_MS);
  const printedJobs = async () => [...(await site.agent.printed()).keys()].map((file) => file.slice(0, 36));
  const completedJobs = async () =>
    (await site.jobs()).filter(({ status }) => status === 'spooler_completed').map(({ jobId }) => jobId);

  /** No job is printed twice, and each completed one was printed. Resolves to the number of completed jobs. */
  const expectTheTruth = async (): Promise<number> => {
    const [printed, completed] = [await printedJobs(), await completedJobs()];
    expect(new Set(printed).size).toBe(printed.length);
    expect(completed.filter((jobId) => !printed.includes(jobId))).toEqual([]);
    expect(await site.jobs()).toHaveLength(JOBS);
    return completed.length;
  };

  it('prints each job at most once after a sleep longer than every grace', async () => {
    site = await PrintingSite.open();
    await site.print(JOBS);
    await within(WITHIN_MS, async () => (await printedJobs()).length > 2);
    site.agent.signal('SIGSTOP');
    await site.until((jobs) => jobs.every(({ status }) => AT_REST.includes(status)), WITHIN_MS);
    await pause(1000); // Lets the retries of failed jobs be scheduled and requeued.
    site.agent.signal('SIGCONT');
    await ended();

    expect(await expectTheTruth()).toBeGreaterThan(2);
  });

  it.each([HOUR_MS, -HOUR_MS])('completes every job with a clock that is off by %i ms', async (shift) => {
    site = await PrintingSite.open({ nodeOptions: shiftedClock(shift) });
    const started = Date.now();
    await site.print(JOBS);
    await ended();

    expect(await expectTheTruth()).toBe(JOBS);
    const logged = Number(/"time":(\d+)/.exec(site.agent.output)?.[1]);
    expect(Math.abs(logged - shift - started)).toBeLessThan(HOUR_MS / 2);
    for (const { updatedAt } of await site.jobs()) {
      expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(started);
      expect(Date.parse(updatedAt)).toBeLessThanOrEqual(Date.now());
    }
  });

  it('exits with 74 on a full disk, also at the next start, and reports correctly once there is room', async () => {
    const disk = await SmallDisk.mount();
    const skipped = 'skipped: mounting a small disk needs root';
    site = await PrintingSite.open({ agentOptions: disk ? ['--state', disk.path('state')] : [] });
    if (!disk) return void process.stderr.write(`${skipped}\n`);
    try {
      disk.fillUp();
      await site.print(JOBS);
      expect(await site.agent.end()).toEqual({ code: STORAGE, signal: null });
      site.agent.start('--state', disk.path('state'));
      expect(await site.agent.end()).toEqual({ code: STORAGE, signal: null });

      disk.makeRoom();
      site.agent.start('--state', disk.path('state'));
      await ended();
      await expectTheTruth();
    } finally {
      await site.agent.kill('SIGKILL');
      await disk.remove();
    }
  });
});
