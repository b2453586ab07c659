import { NOON } from '../../../../test/kit/recorded.js';
import { TestEventStore } from '../../../../test/kit/stores.js';
import { ConcurrencyError, UnavailableError } from '../../../kernel/errors.js';
import { ArchiveManifest, type ListedFile } from './archive-manifest.js';

const file = (n: number): ListedFile => ({
  ...{ name: `${n}.db`, bytes: 1, sha256: '', streams: 1, events: 1, before: NOON },
  ...{ first: String(n), last: String(n), until: String(n) },
});

/** A store that is replaced by an older copy. */
function scene() {
  let store = new TestEventStore();
  const events = {
    load: (...given: Parameters<TestEventStore['load']>) => store.load(...given),
    append: (...given: Parameters<TestEventStore['append']>) => store.append(...given),
  };
  const open = () => new ArchiveManifest(events);
  return { open, manifest: open(), replace: () => void (store = new TestEventStore()) };
}

describe('listing the files of an archive', () => {
  it('lists each with what a crash left to do', async () => {
    const { manifest, open } = scene();
    expect([await manifest.files(), await manifest.last()]).toEqual([[], undefined]);
    await manifest.add(file(1));
    expect(await open().last()).toEqual({ until: '1', before: NOON, file: file(1) });
    await manifest.done(file(1));
    expect(await open().last()).toEqual({ until: '1', before: NOON });
    await manifest.add(file(2));
    expect(await open().files()).toEqual([file(1), file(2)]);
    expect(await open().last()).toMatchObject({ file: file(2) });
    await manifest.done({ before: NOON });
    expect(await open().last()).toEqual({ before: NOON });
    expect(await open().files()).toHaveLength(2);
  });

  it('finds the file whose streams end up to a position', async () => {
    const { manifest, open } = scene();
    await manifest.add(file(3));
    await manifest.add(file(5));
    const found = await Promise.all(['1', '3', '4', '5'].map((position) => open().fileBefore(position)));
    expect(found.map(({ name }) => name)).toEqual(['3.db', '3.db', '5.db', '5.db']);
    await expect(manifest.fileBefore('6')).rejects.toThrow(UnavailableError);
  });

  it('finds no file that only a replaced log lists', async () => {
    const { manifest, open, replace } = scene();
    await manifest.add(file(9));
    replace();
    await open().add(file(5));
    expect((await manifest.fileBefore('4')).name).toBe('5.db');
  });

  it('refuses the second of two workers', async () => {
    const { manifest, open } = scene();
    const other = open();
    await other.files();
    await manifest.add(file(1));
    await expect(other.add(file(2))).rejects.toThrow(ConcurrencyError);
  });

  it('forgets what an older copy of the log does not list', async () => {
    const { manifest, open, replace } = scene();
    await manifest.add(file(1));
    await manifest.add(file(2));
    replace();
    expect(await manifest.files()).toEqual([]);
    const other = open();
    for (const n of [3, 4, 5]) await other.add(file(n));
    expect(await manifest.files()).toEqual([file(3), file(4), file(5)]);
    replace();
    await open().add(file(6));
    expect(await manifest.files()).toEqual([file(6)]);
  });
});
