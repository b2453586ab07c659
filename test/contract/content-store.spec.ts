import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileContentStore } from '../../src/adapters/filesystem/file-content-store.js';
import { contentStoreContract } from './content-store.contract.js';
import { implementations, storesOf } from './implementations.js';

describe.each(implementations)('content store: $name', (implementation) => {
  const fixture = storesOf(implementation);
  contentStoreContract(() => fixture.stores.contents, fixture.reopen);
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
  );

  it('refuses what is not an id before it touches a file', async () => {
    await expect(store.put('../../etc/passwd', Buffer.from('x'))).rejects.toThrow('not the id of a job');
  });
});
