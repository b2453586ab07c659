import { MongoClient } from 'mongodb';
import {
  mongoServers,
  sayWhenNotReal,
  TESTED_PARTITIONS,
  type MongoDatabases,
} from '../kit/mongo-databases.js';
import { newLog, openFedMongo, type Log } from '../kit/fed-mongo.js';
import { checkpointStoreContract } from './checkpoint-store.contract.js';
import { contentStoreContract } from './content-store.contract.js';
import { storesOf, type Implementation } from './implementations.js';
import { livenessStoreContract } from './liveness-store.contract.js';
import { hashStoreContract } from './hash-store.contract.js';
import { indexBlocksContract, logIndexContract } from './log-index.contract.js';
import { begin, closed, written } from './sample-appends.js';
import { projections } from './sample-views.js';
import { viewStoreContract } from './view-store.contract.js';

sayWhenNotReal('stores over MongoDB');

describe.each(mongoServers)('stores over $name', ({ name, start }) => {
  let databases: MongoDatabases;
  /** By the folder that stands for an installation. */
  const installed = new Map<string, { url: string; log: Log }>();

  beforeAll(async () => void (databases = await start()));
  afterEach(() => databases.drop());
  afterAll(() => databases.stop());

  const implementation = (partitions?: number): Implementation => ({
    name,
    open(folder, clock) {
      const known = installed.get(folder) ?? { url: databases.fresh(), log: newLog() };
      installed.set(folder, known);
      return openFedMongo(known.url, known.log, projections, clock, partitions);
    },
  });

  describe('with partitions', () => viewStoreContract(storesOf(implementation(TESTED_PARTITIONS))));

  const fixture = storesOf(implementation());
  viewStoreContract(fixture);
  livenessStoreContract(fixture);
  checkpointStoreContract(fixture);
  indexBlocksContract(fixture);
  logIndexContract(fixture);
  contentStoreContract(() => fixture.stores.contents, fixture.reopen);
  hashStoreContract(fixture);

  it('stores documents that a filter of any client finds', async () => {
    await fixture.append(begin('note-1', written('one')), begin('note-2', written('two'), closed()));
    const client = await MongoClient.connect([...installed.values()].at(-1)!.url);
    const state = await client.db().collection('read_state').findOne();
    const { notes } = state!.places as Record<string, string>;
    const found = await client.db().collection(notes!).find({ status: 'closed' }).toArray();
    await client.close();
    expect(found).toMatchObject([{ _id: '2', id: '2', status: 'closed', text: 'two', _revision: 1 }]);
  });
});
