import { setTimeout as pause } from 'node:timers/promises';
import { soakSuite } from '../../kit/length.js';
import { PrintingSite } from '../../kit/printing-site.js';
import { within } from '../../kit/polling.js';

const JOBS = 50;
const KILLS = 10;
const ENDS = ['spooler_completed', 'manual_review'];

// Kills at a moment of chance; `agent-crash.long.spec.ts` kills at each step.
soakSuite()('killing one agent repeatedly while it prints', () => {
  let site: PrintingSite;

  beforeEach(async () => {
    site = await PrintingSite.open();
  });

  afterEach(() => site.close());

  it('prints every job once or parks it for an operator', async () => {
    const created = site.print(JOBS);
    for (let kill = 0; kill < KILLS; kill++) {
      const before = (await site.agent.printed()).size;
      await within(5000, async () => (await site.agent.printed()).size > before).catch(() => undefined);
      await pause(7 * kill);
      await site.agent.kill('SIGKILL');
      site.agent.start();
    }
    await created;
    await site.until((jobs) => jobs.every(({ status }) => ENDS.includes(status)), 90_000);

    const printed = [...(await site.agent.printed()).keys()].map((file) => file.slice(0, 36));
    const jobs = await site.jobs();
    const completed = jobs.filter(({ status }) => status === 'spooler_completed').map(({ jobId }) => jobId);
    expect(jobs).toHaveLength(JOBS);
    expect(new Set(printed).size).toBe(printed.length);
    expect(completed.filter((jobId) => !printed.includes(jobId))).toEqual([]);
    expect(completed.length).toBeGreaterThan(JOBS - 2 * KILLS);
  });
});
