import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Append, NewEvent } from '../../src/ports/event-store.port.js';
import type { Stores } from '../../src/ports/stores.js';
import { ManualClock } from '../kit/manual-clock.js';
import { metadata } from '../kit/recorded.js';
import { implementations } from './implementations.js';
import { projections, type SampleEvent } from './sample-views.js';

/** Few streams, revisions and ids, so that conflicts and repeats are as common as successes. */
const sampleEvent: fc.Arbitrary<SampleEvent> = fc.oneof(
  fc.record({
    type: fc.constant('NoteWritten' as const),
    data: fc.record({
      account: fc.constantFrom('a', 'b'),
      folder: fc.constantFrom('in', 'out', null),
      urgent: fc.boolean(),
      text: fc.string({ maxLength: 5 }),
    }),
  }),
  fc.record({
    type: fc.constant('NoteMoved' as const),
    data: fc.record({ folder: fc.constantFrom('in', 'out', null) }),
  }),
  fc.constantFrom<SampleEvent>({ type: 'NoteClosed', data: {} }, { type: 'NoteBurnt', data: {} }),
);

const append: fc.Arbitrary<Append> = fc
  .record({
    stream: fc.constantFrom('note-1', 'note-2', 'note-3'),
    expected: fc.oneof(fc.constant('no_stream' as const), fc.nat({ max: 5 })),
    events: fc.array(fc.tuple(sampleEvent, fc.nat({ max: 3 })), { minLength: 1, maxLength: 3 }),
  })
  .map(({ stream, expected, events }) => ({
    stream,
    expected,
    events: events.map(([{ type, data }, id]): NewEvent => ({ id: `${stream}-${id}`, type, data, metadata })),
  }));

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
