import { anySeed, countOf, soakSuite } from '../../../kit/length.js';
import { until } from '../../../kit/polling.js';
import { killAndRestart } from './kit/kills.js';
import { underLoad } from './kit/under-load.js';
import { WorkShares } from './kit/work-shares.js';

const HOUR = 3_600_000;
const JOBS = countOf('JOBS', { short: 0, long: 0, soak: 50_000 });
const AGENTS = countOf('AGENTS', { short: 0, long: 0, soak: 2_000 });
const KILLS = countOf('KILLS', { short: 0, long: 0, soak: 20 });
/** As Agents in the field, so that thousands of them fit beside the service. */
const PACE = { pollSeconds: 25, heartbeatMs: 20_000 };

soakSuite()('four instances with two projectors over a cluster', () => {
  it(
    'print each job once while they are killed, and share the work',
    async () => {
      const shares: WorkShares[] = [];
      await underLoad({
        ...{ name: `${AGENTS} Agents, ${JOBS} jobs`, seed: anySeed(), members: 3 },
        roles: ['all', 'all', 'all', 'all'],
        env: { PROJECTOR_PARTITIONS: '2', LEASE_SECONDS: '45', WEBHOOK_TIMEOUT_SECONDS: '10' },
        mood: { clients: 8, agents: AGENTS, printersPerAgent: 1, pace: PACE },
        happens: async (fleet, { journal }) => {
          const work = new WorkShares(fleet);
          shares.push(work);
          for (let kill = 1; ; kill++) {
            const wanted = (kill * JOBS) / (KILLS + 1);
            await work.during(() =>
              until(`${wanted} jobs`, HOUR, () => (journal.size >= wanted ? true : undefined)),
            );
            if (kill > KILLS) return KILLS;
            await killAndRestart(fleet, fleet.instances[kill % fleet.instances.length]!);
          }
        },
      });
      const [requests, cpu] = [shares[0]!.of('requests'), shares[0]!.of('cpuSeconds')];
      const projected = shares[0]!.of('projected');
      process.stdout.write(`shares: ${JSON.stringify({ requests, cpu, projected })}\n`);
      for (const share of requests) {
        expect(share).toBeGreaterThan(0.8);
        expect(share).toBeLessThan(1.2);
      }
    },
    4 * HOUR,
  );
});
