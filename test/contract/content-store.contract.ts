import { randomBytes } from 'node:crypto';
import type { ContentStore } from '../../src/ports/content-store.port.js';

const SIZES = [0, 1, 32 * 1024, 32 * 1024 + 1, 10 * 1024 * 1024];
const ID = '0196a1b2-0000-7000-8000-00000000000a';

export function contentStoreContract(contents: () => ContentStore, reopen: () => Promise<void>): void {
  const stored = async () => {
    const bytes = await contents().get(ID);
    return bytes && Buffer.from(bytes);
  };

  describe('content', () => {
    it.each(SIZES)('of %d bytes comes back as it was put', async (size) => {
      const bytes = randomBytes(size);
      await contents().put(ID, bytes);
      await reopen();

      expect((await stored())?.equals(bytes)).toBe(true);
      expect(await contents().has(ID)).toBe(true);
    });

    it('that was never put is not there', async () => {
      expect(await contents().get(ID)).toBeUndefined();
      expect(await contents().has(ID)).toBe(false);
      await contents().delete(ID);
    });

    it('is replaced by putting it again, whatever its size', async () => {
      for (const size of [10, 100_000, 5, 200_000, 0]) {
        const bytes = randomBytes(size);
        await contents().put(ID, bytes);
        expect((await stored())?.equals(bytes)).toBe(true);
      }
    });

    it('is gone once deleted', async () => {
      for (const size of [10, 100_000]) {
        await contents().put(ID, randomBytes(size));
        await contents().delete(ID);
        await contents().delete(ID);
        expect(await contents().has(ID)).toBe(false);
        expect(await contents().get(ID)).toBeUndefined();
      }
    });

    it('is a copy: what happens to the bytes later does not matter', async () => {
      const bytes = Buffer.from('before');
      await contents().put(ID, bytes);
      bytes.fill(0);

      expect((await stored())?.toString()).toBe('before');
    });
  });
}
