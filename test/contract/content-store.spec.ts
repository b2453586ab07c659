import { mkdtempSync, renameSync, rmSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileContentStore } from '../../src/event-sourcing/embedded/files/file-content-store.js';
import { contentStoreContract, type TakeAway } from './content-store.contract.js';
import { implementations, storesOf } from './implementations.js';
import { UnavailableError } from '../../src/kernel/errors.js';

/** The disk of the documents is no longer mounted: an empty folder, or none. */
const folderAway =
  (folder: () => string): TakeAway =>
  async () => {
    renameSync(folder(), `${folder()}-away`);
    mkdirSync(folder());
    return async () => {
      rmSync(folder(), { recursive: true });
      renameSync(`${folder()}-away`, folder());
    };
  };

describe.each(implementations)('content store: $name', (implementation) => {
  const fixture = storesOf(implementation);
  contentStoreContract(
    () => fixture.stores.contents,
    fixture.reopen,
    folderAway(() => join(fixture.folder, 'content')),
  );
});

describe('content store: files', () => {
  let folder: string;
  let store: FileContentStore;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rps-content-'));
    store = await FileContentStore.open(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  contentStoreContract(
    () => store,
    async () => {
      store = await FileContentStore.open(folder);
    },
    folderAway(() => folder),
  );

  it('reports unavailable while the disk fails or the folder is missing', async () => {
    const id = '0196a1b2-0000-7000-8000-00000000000a';
    await store.put(id, Buffer.from('x'));
    const file = join(folder, '0a', id);
    renameSync(file, `${file}-away`);
    mkdirSync(file); // Reading a folder fails like a broken disk: with another error than "no such file".
    await expect(store.get(id)).rejects.toBeInstanceOf(UnavailableError);
    rmSync(folder, { recursive: true });
    await expect(store.get(id)).rejects.toBeInstanceOf(UnavailableError);
    await expect(store.has(id)).rejects.toBeInstanceOf(UnavailableError);
  });

  it('rejects an invalid id before it touches a file', async () => {
    await expect(store.put('../../etc/passwd', Buffer.from('x'))).rejects.toThrow('not the id of a job');
  });
});
