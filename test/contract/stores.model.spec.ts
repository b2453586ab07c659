import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Append } from '../../src/ports/event-store.port.js';
import type { Stores } from '../../src/ports/stores.js';
import { ManualClock } from '../kit/manual-clock.js';
import { append } from './any-appends.js';
import { implementations } from './implementations.js';
import { projections } from './sample-views.js';

type Step = { readonly together: readonly Append[] } | 'reopen';

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      arbitrary: fc.array(append, { minLength: 1, maxLength: 6 }).map((together) => ({ together })),
      weight: 9,
    },
    { arbitrary: fc.constant('reopen' as const), weight: 1 },
  ),
  { maxLength: 12 },
);

/** What came of appends made at once, told alike for every store. */
async function outcomesOf({ events }: Stores, appends: readonly Append[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(appends.map((one) => events.append(one)));
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    const { stream, expected, actual } = outcome.reason as Record<string, unknown>;
    return { stream, expected, actual };
  });
}

async function contentsOf({ events, views }: Stores): Promise<unknown> {
  const { view } = projections[0]!;
  return {
    events: await events.readAll({ max: 1_000 }),
    streams: await Promise.all(['note-1', 'note-2', 'note-3'].map((stream) => events.load(stream))),
    notes: await views.find(view, { where: {}, order: 'oldest', limit: 100 }),
    ofA: await views.find(view, { where: { account: 'a', status: 'open' }, order: 'newest', limit: 100 }),
    open: await views.count(view, { account: ['a', 'b'], status: 'open' }),
  };
}

describe('any appends', () => {
  it('leave the same streams, answers and documents in every store, also over restarts', async () => {
    const [memory, sqlite] = implementations;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const folder = mkdtempSync(join(tmpdir(), 'rps-model-'));
        const clock = new ManualClock();
        const model = await memory!.open(folder, clock);
        let real = await sqlite!.open(folder, clock);
        try {
          for (const step of sequence) {
            if (step === 'reopen') {
              await real.close();
              real = await sqlite!.open(folder, clock);
            } else {
              const [expected, actual] = [
                await outcomesOf(model, step.together),
                await outcomesOf(real, step.together),
              ];
              expect(actual).toEqual(expected);
            }
          }
          expect(await contentsOf(real)).toEqual(await contentsOf(model));
          expect((await real.maintenance.verify()).every(({ equal }) => equal)).toBe(true);
        } finally {
          await real.close();
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 60 },
    );
  });
});
