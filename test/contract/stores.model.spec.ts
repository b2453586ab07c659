import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recorded } from '../../src/kernel/recorded-event.js';
import type { Append, EventStore } from '../../src/event-sourcing/ports/event-store.port.js';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import type { Where } from '../../src/event-sourcing/ports/view-store.port.js';
import { ManualClock } from '../kit/manual-clock.js';
import { project } from '../kit/projection.js';
import { asOlderRelease } from '../kit/stored-rows.js';
import { append } from './any-appends.js';
import { implementations } from './implementations.js';
import { ModelEventStore } from './model-event-store.js';
import { notes, type Note, type SampleEvent } from './sample-views.js';

type Step = { readonly together: readonly Append[] } | 'reopen' | 'age' | 'pack';

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      arbitrary: fc.array(append, { minLength: 1, maxLength: 6 }).map((together) => ({ together })),
      weight: 9,
    },
    { arbitrary: fc.constantFrom('reopen' as const, 'age' as const, 'pack' as const), weight: 3 },
  ),
  { maxLength: 12 },
);

/** Outcomes of concurrent appends, in the same form for store and model. */
async function outcomesOf(
  events: Pick<EventStore, 'append'>,
  appends: readonly Append[],
): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(appends.map((one) => events.append(one)));
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    const { stream, expected, actual } = outcome.reason as Record<string, unknown>;
    return { stream, expected, actual };
  });
}

const STREAMS = ['note-1', 'note-2', 'note-3'];

async function contentsOf({ events, views }: Stores): Promise<unknown> {
  const { view } = notes;
  const found = async (where: Where, order: 'oldest' | 'newest') =>
    (await views.find<Note>(view, { where, order, limit: 100 })).documents;
  return {
    events: await events.readAll({ max: 1_000 }),
    streams: await Promise.all(STREAMS.map((stream) => events.load(stream))),
    notes: await found({}, 'oldest'),
    openOfA: await found({ account: 'a', status: 'open' }, 'newest'),
    open: await views.count(view, { account: ['a', 'b'], status: 'open' }),
  };
}

function expectedContents(model: ModelEventStore): unknown {
  const all = [...project(notes, model.events as Recorded<SampleEvent>[]).values()];
  const open = all.filter(({ status }) => status === 'open');
  return {
    events: model.events,
    streams: STREAMS.map((stream) => model.load(stream)),
    notes: all,
    openOfA: open.filter(({ account }) => account === 'a').reverse(),
    open: open.length,
  };
}

describe('any appends', () => {
  it('match the model in streams, answers and documents, across restarts, upgrades and packing', async () => {
    const [sqlite] = implementations;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const folder = mkdtempSync(join(tmpdir(), 'rps-model-'));
        const clock = new ManualClock();
        const model = new ModelEventStore();
        let real = await sqlite!.open(folder, clock);
        try {
          for (const step of sequence) {
            if (step === 'reopen' || step === 'age') {
              await real.close();
              if (step === 'age') asOlderRelease(join(folder, 'rps.db'));
              real = await sqlite!.open(folder, clock);
            } else if (step === 'pack') {
              await real.packing!.run({ before: clock.now(), categories: ['note'] });
            } else {
              const [expected, actual] = [
                await outcomesOf(model, step.together),
                await outcomesOf(real.events, step.together),
              ];
              expect(actual).toEqual(expected);
            }
          }
          expect(await contentsOf(real)).toEqual(expectedContents(model));
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
