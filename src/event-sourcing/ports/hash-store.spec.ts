import { MissingHashesError } from '../../kernel/errors.js';
import { HashStore } from './hash-store.port.js';

class HashStoreInMemory extends HashStore {
  readonly values = new Map<string, Uint8Array>();

  protected async read(key: string) {
    return this.values.get(key);
  }
  protected async write(values: ReadonlyMap<string, Uint8Array>, progress: Uint8Array) {
    for (const [key, value] of values) this.values.set(key, value);
    this.values.set('progress', progress);
  }
  async clear() {
    this.values.clear();
  }
}

describe('reading damaged hashes', () => {
  let hashes: HashStoreInMemory;

  beforeEach(async () => {
    hashes = new HashStoreInMemory();
    await hashes.put(
      new Map([
        ['t/0/0', Buffer.alloc(64, 1)],
        ['t/0/1', Buffer.alloc(64, 2)],
      ]),
      Buffer.from('progress'),
    );
  });

  it('fails for a changed byte, wherever it is', async () => {
    const whole = hashes.values.get('t/0/0')!;
    for (let n = 0; n < whole.length; n++) {
      const changed = Buffer.from(whole);
      changed[n]! ^= 1;
      hashes.values.set('t/0/0', changed);
      await expect(hashes.get('t/0/0')).rejects.toThrow(MissingHashesError);
    }
  });

  it.each<[string, (value: Uint8Array) => Uint8Array]>([
    ['cut', (value) => value.subarray(0, -1)],
    ['empty', () => new Uint8Array()],
    ['longer', (value) => Buffer.concat([value, Buffer.alloc(1)])],
  ])('fails for a value that is %s', async (_, change) => {
    hashes.values.set('progress', change(hashes.values.get('progress')!));
    await expect(hashes.progress()).rejects.toThrow(MissingHashesError);
  });

  it('fails for the value of another key', async () => {
    hashes.values.set('t/0/0', hashes.values.get('t/0/1')!);
    await expect(hashes.get('t/0/0')).rejects.toThrow(MissingHashesError);
  });
});
