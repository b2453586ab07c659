import { BadNetwork, FAULTS } from './bad-network.js';
import { PrintingSite } from './printing-site.js';
import { within } from './polling.js';

/** Graces that outlast streaks of faults; a lease granted to a lost answer still lapses within seconds. */
const GRACES = {
  ACCEPT_GRACE_SECONDS: '60',
  HANDOFF_GRACE_SECONDS: '120',
  SPOOL_WATCH_SECONDS: '240',
  JOB_RETRY_DELAYS_SECONDS: Array.from({ length: 10 }, () => '0.2').join(','),
};

/**
 * Prints over a bad network: each job is printed once and completed, and no report is left on disk. Resolves to the
 * faults that did not happen.
 */
export async function printOverBadNetwork(seed: number, jobs: number, withinMs: number): Promise<string[]> {
  let network: BadNetwork | undefined;
  const through = async (url: string): Promise<string> => (network = await BadNetwork.before(url, seed)).url;
  const site = await PrintingSite.open({ env: GRACES, through });
  try {
    await site.print(jobs);
    await site.until((all) => all.every(({ status }) => status === 'spooler_completed'), withinMs);
    await within(withinMs, async () => (await site.agent.unsentReports()).length === 0);
    const printed = [...(await site.agent.printed()).keys()].map((file) => file.slice(0, 36));
    const completed = (await site.jobs()).map(({ jobId }) => jobId);
    expect(printed.sort()).toEqual(completed.sort());
    expect(completed).toHaveLength(jobs);
    return FAULTS.filter((fault) => !network!.happened.has(fault));
  } catch (error) {
    throw new Error(`SEED=${seed}\n${site.agent.output.slice(-6000)}`, { cause: error });
  } finally {
    await site.close();
    await network?.close();
  }
}
