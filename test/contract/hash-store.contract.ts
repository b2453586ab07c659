import type { HashStore } from '../../src/event-sourcing/ports/hash-store.port.js';
import type { Fixture } from './implementations.js';

const bytes = (...given: number[]) => Uint8Array.from(given);
const blobs = (given: Readonly<Record<string, readonly number[]>>) =>
  new Map(Object.entries(given).map(([key, values]) => [key, bytes(...values)]));

export function hashStoreContract(fixture: Pick<Fixture, 'stores' | 'reopen'>): void {
  const hashes = (): HashStore => fixture.stores.hashes;
  const read = (...keys: string[]) =>
    Promise.all(
      keys.map(async (key) => {
        const found = await hashes().get(key);
        return found && [...found];
      }),
    );

  it('gives what was stored, across a restart', async () => {
    expect(await hashes().progress()).toBeUndefined();
    await hashes().put(blobs({ 't/0/0': [1, 2], 'h/a': [0, 3] }), bytes(7));
    await fixture.reopen();
    expect(await read('h/a', 'missing', 't/0/0')).toEqual([[0, 3], undefined, [1, 2]]);
    expect([...(await hashes().progress())!]).toEqual([7]);
  });

  it('replaces bytes by longer ones only, and the progress by any', async () => {
    await hashes().put(blobs({ a: [1, 2], b: [1] }), bytes(7, 7));
    await Promise.all([
      hashes().put(blobs({ a: [9], b: [1, 3] }), bytes(8)),
      hashes().put(blobs({ b: [1, 3] }), bytes(8)),
    ]);
    expect(await read('a', 'b')).toEqual([
      [1, 2],
      [1, 3],
    ]);
    expect([...(await hashes().progress())!]).toEqual([8]);
  });

  it('is empty after clearing', async () => {
    await hashes().put(blobs({ a: [1] }), bytes(1));
    await hashes().clear();
    expect(await read('a')).toEqual([undefined]);
    expect(await hashes().progress()).toBeUndefined();
  });
}
