import { setTimeout as pause } from 'node:timers/promises';
import type { AgentProcess } from '../../kit/agent-process.js';
import { PrintingSite, type SiteJob } from '../../kit/printing-site.js';
import { within } from '../../kit/polling.js';

const JOBS = 200;
const BEFORE_THE_CLONE = 20;
const RESTARTS = 5;
const SESSION_REPLACED = 76;
const ENDS = ['spooler_completed', 'manual_review'];
/** Far above the delay of a retry: a job failed for this long has no scheduled retry. */
const RETRIED_WITHIN_MS = 3000;

/** Restarts an Agent that a newer session replaced, up to a number of times, until `stop`. */
class Supervisor {
  private stopped = false;
  private readonly codes: (number | null)[] = [];
  private readonly done: Promise<void>;

  constructor(
    private readonly agent: AgentProcess,
    private readonly restarts: number,
  ) {
    this.done = this.run();
  }

  /** Stops the agent, also one that is just about to be restarted; resolves to its exit codes. */
  async stop(): Promise<(number | null)[]> {
    this.stopped = true;
    await this.agent.kill('SIGTERM');
    await this.done;
    return this.codes;
  }

  private async run(): Promise<void> {
    while (!this.stopped && this.codes.length <= this.restarts) {
      this.agent.start();
      const { code } = await this.agent.end();
      this.codes.push(code);
      if (code !== SESSION_REPLACED) return;
      await pause(200);
    }
  }
}

function ended({ status, updatedAt }: SiteJob): boolean {
  if (status === 'failed') return Date.now() - Date.parse(updatedAt) > RETRIED_WITHIN_MS;
  return ENDS.includes(status);
}

describe('two copies of one state folder running at the same time', () => {
  let site: PrintingSite;
  let clone: AgentProcess | undefined;

  beforeEach(async () => {
    site = await PrintingSite.open();
  });

  afterEach(async () => {
    await clone?.remove();
    await site.close();
  });

  it('hand each attempt to at most one spooler, and lose no job', async () => {
    await site.print(BEFORE_THE_CLONE);
    await within(10_000, async () => (await site.agent.printed()).size > 2);
    await site.agent.kill('SIGKILL');
    clone = await site.agent.clone();

    const supervisors = [new Supervisor(site.agent, RESTARTS), new Supervisor(clone, RESTARTS)];
    await site.print(JOBS - BEFORE_THE_CLONE);
    await site.until((jobs) => jobs.every(ended), 120_000);
    const ends = (await Promise.all(supervisors.map((one) => one.stop()))).flat();

    expect(ends.filter((code) => code === SESSION_REPLACED).length).toBeGreaterThan(2);
    // Both may run at the end: the older one has not heard yet that it was replaced. One that is just starting does not
    // listen to the signal yet, and ends without a code.
    for (const code of ends.filter((one) => one !== SESSION_REPLACED)) expect([0, null]).toContain(code);
    await expectTheLaw();
  });

  /**
   * `<job_id>-<fence>-<copy>.txt`; there is no manual retry here, so no job may be printed under two fences.
   */
  async function expectTheLaw(): Promise<void> {
    const files = [...(await site.agent.printed()).keys(), ...(await clone!.printed()).keys()];
    const printed = files.map((file) => file.slice(0, 36));
    const jobs = await site.jobs();
    const of = (status: string) => jobs.filter((job) => job.status === status).map(({ jobId }) => jobId);

    expect(printed.filter((jobId, index) => printed.indexOf(jobId) !== index)).toEqual([]);
    expect(jobs).toHaveLength(JOBS);
    expect(of('spooler_completed').filter((jobId) => !printed.includes(jobId))).toEqual([]);
    expect(of('failed').filter((jobId) => printed.includes(jobId))).toEqual([]);
    expect(of('spooler_completed').length).toBeGreaterThan(JOBS / 2);
    const permits = await Promise.all(jobs.map(({ jobId }) => site.permits(jobId)));
    expect(permits.filter((counts) => counts.some((count) => count > 1))).toEqual([]);
  }
});
