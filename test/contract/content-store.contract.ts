import { randomBytes } from 'node:crypto';
import type { ContentStore } from '../../src/event-sourcing/ports/content-store.port.js';
import { UnavailableError } from '../../src/kernel/errors.js';

const SIZES = [0, 1, 32 * 1024, 32 * 1024 + 1, 10 * 1024 * 1024];
const ID = '0196a1b2-0000-7000-8000-00000000000a';
const OTHER = '0196a1b2-0000-7000-8000-00000000000b';

/** Breaks the storage of the store; the returned function repairs it. */
export type TakeAway = () => Promise<() => Promise<void>>;

export function contentStoreContract(
  contents: () => ContentStore,
  reopen: () => Promise<void>,
  takeAway?: TakeAway,
): void {
  const stored = async () => {
    const bytes = await contents().get(ID);
    return bytes && Buffer.from(bytes);
  };

  describe('content', () => {
    it.each(SIZES)('of %d bytes is returned unchanged', async (size) => {
      const bytes = randomBytes(size);
      await contents().put(ID, bytes);
      await reopen();

      expect((await stored())?.equals(bytes)).toBe(true);
      expect(await contents().has(ID)).toBe(true);
    });

    it.each([10, 32 * 1024, 600_000])('of %d bytes is returned in parts', async (size) => {
      const bytes = randomBytes(size);
      await contents().put(ID, bytes);
      await reopen();

      const third = Math.floor(size / 3);
      for (const [first, end] of [
        [0, 1],
        [third, 2 * third],
        [size - 1, size],
        [third, size + 500],
        [0, size],
        [size, size + 1],
      ] as const) {
        const part = await contents().get(ID, { first, end });
        expect(Buffer.from(part!).equals(bytes.subarray(first, end))).toBe(true);
      }
      expect(await contents().get(OTHER, { first: 0, end: 1 })).toBeUndefined();
    });

    it('is undefined if never stored', async () => {
      expect(await contents().get(ID)).toBeUndefined();
      expect(await contents().has(ID)).toBe(false);
      await contents().delete(ID);
    });

    it('is replaced by another put of any size', async () => {
      for (const size of [10, 100_000, 5, 200_000, 0]) {
        const bytes = randomBytes(size);
        await contents().put(ID, bytes);
        expect((await stored())?.equals(bytes)).toBe(true);
      }
    });

    it.each(SIZES)('of %d bytes is stored before the following append resolves', async (size) => {
      const bytes = randomBytes(size);
      expect(await contents().putThen(ID, bytes, async () => 'followed')).toBe('followed');
      await reopen();

      expect((await stored())?.equals(bytes)).toBe(true);
    });

    it('is not stored if the following append fails', async () => {
      const failing = async () => {
        throw new RangeError('no');
      };
      for (const size of SIZES) {
        await expect(contents().putThen(ID, randomBytes(size), failing)).rejects.toThrow(RangeError);
      }
    });

    it('is gone after its deletion', async () => {
      for (const size of [10, 100_000]) {
        await contents().put(ID, randomBytes(size));
        await contents().delete(ID);
        await contents().delete(ID);
        expect(await contents().has(ID)).toBe(false);
        expect(await contents().get(ID)).toBeUndefined();
      }
    });

    it('is listed by id, page by page', async () => {
      const ids = ['a', 'b', 'c', 'd'].map((end) => `0196a1b2-0000-7000-8000-0000000000${end}0`);
      for (const [i, id] of ids.entries()) await contents().put(id, randomBytes(i % 2 ? 10 : 100_000));
      await contents().put(ids[1]!, randomBytes(100_000));

      expect(await contents().ids(undefined, 3)).toEqual(ids.slice(0, 3));
      expect(await contents().ids(ids[2], 3)).toEqual([ids[3]]);
      for (const id of ids) await contents().delete(id);
      expect(await contents().ids(undefined, 3)).toEqual([]);
    });

    if (takeAway) {
      it.each([10, 100_000])(
        'of %d bytes is unavailable, not missing, while the store fails',
        async (size) => {
          const bytes = randomBytes(size);
          await contents().put(ID, bytes);
          const giveBack = await takeAway();
          const answers = await Promise.allSettled([contents().get(ID), contents().get(OTHER)]);
          await giveBack();

          // Content stored elsewhere may still be readable.
          for (const answer of answers) {
            if (answer.status === 'fulfilled') expect(Buffer.from(answer.value!).equals(bytes)).toBe(true);
            // Compared by name, because built code has its own classes.
            else expect((answer.reason as Error).constructor.name).toBe(UnavailableError.name);
          }
          expect(answers[1]!.status).toBe('rejected');
          expect((await stored())?.equals(bytes)).toBe(true);
          expect(await contents().get(OTHER)).toBeUndefined();
        },
      );
    }

    it('is a copy, unaffected by later changes of the buffer', async () => {
      const bytes = Buffer.from('before');
      await contents().put(ID, bytes);
      bytes.fill(0);

      expect((await stored())?.toString()).toBe('before');
    });
  });
}
