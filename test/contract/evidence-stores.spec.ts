import Database from 'better-sqlite3';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreDb } from '../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { ServerStoredTexts } from '../../src/event-sourcing/servers/eventstoredb/log-reader.js';
import { NOON } from '../kit/recorded.js';
import { openTestStores } from '../kit/stores.js';
import { startEventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';
import { hashStoreContract } from './hash-store.contract.js';
import { implementations, storesOf } from './implementations.js';
import { begin, closed, written } from './sample-appends.js';
import { projections } from './sample-views.js';
import { storedTextsContract } from './stored-texts.contract.js';

const embedded = async () => openTestStores({ projections });

describe.each(implementations)('texts and hashes in $name', (implementation) => {
  const fixture = storesOf(implementation);
  describe('stored texts', () => storedTextsContract(() => fixture.stores, embedded));
  describe('hash store', () => hashStoreContract(fixture));

  it('reads the same texts from packs', async () => {
    await fixture.append(begin('note-1', written('Ä\u2028'), closed()), begin('note-2', written('two')));
    const read = async () => {
      const { texts } = fixture.stores;
      const { texts: all } = await texts.after(undefined, 9);
      const streams = [await texts.stream('note-1', 1, 9), await texts.stream('note-2', 0, 9)];
      return { all, streams, at: await texts.at(all.map(({ position }) => position)) };
    };
    const before = await read();
    expect(await fixture.stores.packing!.run({ before: NOON, categories: ['note'] })).toBe(2);
    expect(await read()).toEqual(before);
  });

  it('reports damaged events and reads on', async () => {
    await fixture.append(begin('note-1', written('one')), begin('note-2', written('two'), closed()));
    const db = new Database(join(fixture.folder, 'rps.db'));
    db.exec("UPDATE events SET data = replace(data, 'two', 'too')");
    db.close();
    const { texts } = fixture.stores;
    const { texts: found, damaged } = await texts.after(undefined, 9);
    expect(found.map(({ type }) => type)).toEqual(['NoteWritten', 'NoteClosed']);
    expect(damaged).toMatchObject([{ stream: 'note-2', revision: 0 }]);
  });

  it('begins a damaged hash store anew, for its owner only', async () => {
    await fixture.stores.hashes.put(new Map([['a', Uint8Array.of(1)]]), Uint8Array.of(1));
    await fixture.stores.close();
    const names = readdirSync(fixture.folder).filter((name) => name.startsWith('evidence.db'));
    for (const name of names) writeFileSync(join(fixture.folder, name), 'no database'.repeat(1_000));
    for (const name of names) chmodSync(join(fixture.folder, name), 0o644);
    await fixture.reopen();
    expect(await fixture.stores.hashes.progress()).toBeUndefined();
    expect(statSync(join(fixture.folder, 'evidence.db')).mode & 0o077).toBe(0);
  });
});

describe('texts in EventStoreDB, the test server', () => {
  let server: Awaited<ReturnType<typeof startEventStoreServer>>;
  let store: EventStoreDb;
  beforeAll(async () => {
    server = await startEventStoreServer();
    store = EventStoreDb.open({ url: server.url, timeoutMs: 30_000 });
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });
  storedTextsContract(() => ({ events: store, texts: new ServerStoredTexts(store) }), embedded);
});
