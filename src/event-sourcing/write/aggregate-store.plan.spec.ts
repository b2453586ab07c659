import { SystemRandomness } from '../../app/system/system-randomness.js';
import { Claim, claims } from '../../contexts/claims/index.js';
import { AggregateStore } from './aggregate-store.js';
import { openTestStores } from '../../../test/kit/stores.js';
import { ConcurrencyError } from '../../kernel/errors.js';

const NOON = '2026-11-21T12:00:00.000Z';
const by = { actor: { kind: 'process', id: 'spec' }, correlationId: 'correlation' } as const;
const claim = new Claim({ claimKind: 'slug', subject: 'a', at: NOON, by });

function aggregateStore() {
  const { events } = openTestStores({ projections: [] });
  return { events, aggregates: new AggregateStore(events, new SystemRandomness()) };
}

describe('planning for a new id', () => {
  it('decides on the initial state', async () => {
    const { aggregates } = aggregateStore();
    const looked = await aggregates.plan(claims, 'new', claim);
    const unseen = await aggregates.plan(claims, 'new', claim, { assumeNew: true });
    expect(unseen).toMatchObject({
      ok: true,
      planned: { append: { stream: 'claim-new', expected: 'no_stream' }, state: { subject: 'a' } },
    });
    expect(looked.ok).toBe(true);
  });

  it('is a repeat for the store if its event ids are given', async () => {
    const { aggregates } = aggregateStore();
    const given = await aggregates.plan(claims, 'new', claim, { eventIds: (n) => `event-${n}` });
    expect(given).toMatchObject({ planned: { append: { isRepeat: true, events: [{ id: 'event-0' }] } } });
  });

  it('fails at the append if the id is taken', async () => {
    const { aggregates: another, events } = aggregateStore();
    await another.execute(claims, 'taken', claim);
    const aggregates = new AggregateStore(events, new SystemRandomness());
    const unseen = await aggregates.plan(claims, 'taken', claim, { assumeNew: true });
    if (!unseen.ok) throw new Error('refused without a look');
    await expect(aggregates.appendInOrder([unseen.planned])).rejects.toThrow(ConcurrencyError);
    expect(await events.load('claim-taken')).toHaveLength(1);
  });

  it('fails at once if the id is cached as taken', async () => {
    const { aggregates } = aggregateStore();
    await aggregates.execute(claims, 'taken', claim);
    const unseen = await aggregates.plan(claims, 'taken', claim, { assumeNew: true });
    expect(unseen).toMatchObject({ ok: false, rejection: { code: 'ClaimTaken', subject: 'a' } });
  });
});
