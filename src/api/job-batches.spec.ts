import type { CommandBus } from '@nestjs/cqrs';
import type { JobQueries } from '../../projections/job-view/job-view.queries.js';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { settled } from '../../test/kit/settled.js';
import type { SubmitJobs } from '../contexts/jobs/index.js';
import { RecentRestore } from '../contexts/recovery/index.js';
import { JobBatches } from './job-batches.js';
import { integration } from './integration/integration.surface.js';

describe('lists of jobs sent at once', () => {
  it('are stored four at a time for an account, beside those of another', async () => {
    const under: string[] = [];
    const waiting: (() => void)[] = [];
    const execute = async ({ accountId }: SubmitJobs) => {
      under.push(accountId);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return [];
    };
    const clock = new ManualClock();
    const batches = new JobBatches(
      { execute } as unknown as CommandBus,
      {} as JobQueries,
      new RecentRestore(),
      clock,
    );
    const by = { actor: { kind: 'api_key', id: 'key' }, correlationId: 'correlation-1' } as const;
    const send = (accountId: string) =>
      batches.submit({
        ...{ surface: integration, source: 'integration', accountId, jobs: [], by },
        codes: { created: 'CREATED', replayed: 'REPLAYED' },
        show: () => ({}),
      });
    const sent = ['a', 'a', 'a', 'a', 'a', 'a', 'b'].map(send);
    await settled();
    expect(under).toEqual(['a', 'a', 'a', 'a', 'b']);

    waiting.shift()!();
    await settled();
    expect(under).toEqual(['a', 'a', 'a', 'a', 'b', 'a']);
    const [late] = sent.slice(5, 6);
    const refused = expect(late).rejects.toThrow('Too many lists of jobs at once.');
    clock.advance(30_000);
    await refused;
    for (let finish = waiting.shift(); finish; finish = waiting.shift()) {
      finish();
      await settled();
    }
    expect(await Promise.all(sent.filter((one) => one !== late))).toHaveLength(6);
  });
});
