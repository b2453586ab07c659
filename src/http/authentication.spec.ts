import { CredentialCache } from './authentication.js';

interface Known {
  readonly id: string;
}

describe('cached credentials', () => {
  let cache: CredentialCache<Known>;
  let lookUps: string[];
  let now = 1;
  const get = (id: string) =>
    cache.get(id, async () => {
      lookUps.push(id);
      return id.startsWith('unknown') ? undefined : { id };
    });

  beforeEach(() => {
    [cache, lookUps, now] = [new CredentialCache<Known>(() => now), [], 1];
  });

  it('are reused for half a second', async () => {
    expect(await get('a')).toEqual({ id: 'a' });
    now = 501;
    expect(get('a')).toEqual({ id: 'a' });
    now = 502;
    expect(get('a')).toBeInstanceOf(Promise);
    expect(lookUps).toEqual(['a', 'a']);
  });

  it('exclude unknown credentials', async () => {
    await get('unknown');
    await get('unknown');
    expect(lookUps).toEqual(['unknown', 'unknown']);
  });

  it('are looked up again after a change', async () => {
    await get('a');
    cache.clear();
    await get('a');
    expect(lookUps).toEqual(['a', 'a']);
  });

  it('are dropped if one changed during the look-up', async () => {
    const before = get('a');
    cache.clear();
    await before;
    await get('a');
    expect(lookUps).toEqual(['a', 'a']);
  });

  it('are limited to the newest ten thousand', async () => {
    for (let n = 0; n <= 10_000; n++) await get(String(n));
    lookUps = [];
    await Promise.all([get('10000'), get('1'), get('0')]);
    expect(lookUps).toEqual(['0']);
  });
});
