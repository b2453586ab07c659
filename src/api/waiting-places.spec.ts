import { WaitingPlaces } from './waiting-places.js';

/** Takes places until one is refused. */
function takeAll(places: WaitingPlaces, owner: string, holder = owner): { taken: number; refusal: unknown } {
  for (let taken = 0; ; taken++) {
    try {
      places.take(owner, holder);
    } catch (refusal) {
      return { taken, refusal };
    }
  }
}

describe('places for waiting', () => {
  it('are 1,000 for an owner', () => {
    const { taken, refusal } = takeAll(new WaitingPlaces(), 'a');
    expect(taken).toBe(1_000);
    expect(refusal).toMatchObject({ key: 'rateLimited', headers: { 'retry-after': '15' } });
  });

  it('are half of all for the accounts of one partner', () => {
    const places = new WaitingPlaces();
    const taken = ['a', 'b', 'c', 'd'].map((account) => takeAll(places, account, 'partner').taken);
    expect(taken).toEqual([1_000, 1_000, 0, 0]);
    expect(takeAll(places, 'other').taken).toBe(1_000);
  });

  it('are left for a newcomer, however many hold all that they may', () => {
    const places = new WaitingPlaces();
    for (const owner of ['a', 'b', 'c', 'd', 'e', 'f']) takeAll(places, owner);
    expect(takeAll(places, 'newcomer').taken).toBeGreaterThan(10);
  });

  it('are free again once they are left, and only once', () => {
    const places = new WaitingPlaces();
    const leave = places.take('a', 'a');
    expect(takeAll(places, 'a').taken).toBe(999);
    leave();
    leave();
    expect(takeAll(places, 'a').taken).toBe(1);
  });

  it('are refused to all once none is free', () => {
    const places = new WaitingPlaces();
    for (let owner = 0; owner < 20; owner++) takeAll(places, `${owner}`);
    expect(takeAll(places, 'late')).toMatchObject({ taken: 0, refusal: { key: 'unavailable' } });
  });
});
