import type { Collection, Document, IndexDescription } from 'mongodb';
import { type HealthCheck, fail, ok, runCheck } from '../../ports/findings.js';
import { takeLease, type LeaseDocument } from './lease-documents.js';
import { isIdTaken, takenOf } from './mongo-errors.js';

type Row = Document & { readonly _id: string };

const USE_MONGODB = 'use MongoDB 6.0 or later';
const UNIQUE = 'unique';
const RACED_KEYS = 20;

/** One index of each kind that the stores create. */
const INDEX_KINDS: readonly (IndexDescription & { readonly name: string })[] = [
  { name: 'compound', key: { a: 1, b: 1, position: 1 } },
  { name: UNIQUE, key: { n: 1 }, unique: true },
  { name: 'expiring', key: { at: 1 }, expireAfterSeconds: 3_600 },
  { name: 'partial', key: { a: 1, position: 1 }, partialFilterExpression: { c: 'x' } },
  {
    name: 'partial with $in',
    key: { b: 1, position: 1 },
    partialFilterExpression: { c: { $in: ['x', 'y'] } },
  },
];

/** Refuses engines that speak MongoDB's protocol but lose concurrent upserts or lack indexes. */
export function engineFinding(hello: Document, buildInfo: Document) {
  const engine = otherEngine(hello, buildInfo);
  return engine ? fail(`${engine}, which cannot carry this service: ${USE_MONGODB}`) : ok('MongoDB');
}

/** Sources: FerretDB's buildInfo, DocumentDB's hello, and the host names of Amazon DocumentDB and Azure. */
function otherEngine(hello: Document, buildInfo: Document): string | undefined {
  const internal = (hello['internal'] ?? {}) as Document;
  const hosts = [hello['me'], ...((hello['hosts'] ?? []) as unknown[])].map(String).join(' ');
  if (buildInfo['ferretdb']) return 'FerretDB';
  if (internal['documentdb_versions'] ?? internal['cosmos_versions']) return 'DocumentDB';
  if (/\.docdb(-elastic)?\.amazonaws\.com/.test(hosts)) return 'Amazon DocumentDB';
  if (/\.cosmos\.azure\.com/.test(hosts)) return 'Azure Cosmos DB';
  return undefined;
}

/** Tries everything the stores depend on, in a scratch collection. */
export async function* capabilityCheck(scratch: Collection<Row>): HealthCheck {
  yield await runCheck('read store: indexes', () => indexes(scratch));
  yield await runCheck('read store: duplicate keys', () => duplicateKeys(scratch));
  yield await runCheck("read store: the server's clock in updates", () => serverClock(scratch));
  yield await runCheck('read store: leases', () => leases(scratch as unknown as Collection<LeaseDocument>));
}

async function indexes(scratch: Collection<Row>) {
  const refused: string[] = [];
  for (const kind of INDEX_KINDS) {
    await scratch
      .createIndexes([kind])
      .catch(({ message }: Error) => refused.push(`${kind.name} (${message})`));
  }
  if (refused.length > 0) return fail(`cannot build indexes: ${refused.join('; ')}; ${USE_MONGODB}`);
  return ok(`one of each of ${INDEX_KINDS.length} kinds built`);
}

async function duplicateKeys(scratch: Collection<Row>) {
  await scratch.insertOne({ _id: 'first', n: 1 });
  const ofField = await refusalOf(() => scratch.insertOne({ _id: 'second', n: 1 }));
  const replaceOne = { filter: { _id: 'first', n: 2 }, replacement: { n: 2 }, upsert: true };
  const ofBulk = await refusalOf(() => scratch.bulkWrite([{ replaceOne }], { ordered: false }));
  await scratch.dropIndex(UNIQUE).catch(() => undefined);
  if (!ofField || !ofBulk) return fail(`a duplicate key was accepted; ${USE_MONGODB}`);
  if (isIdTaken(ofField) || takenOf(ofBulk).join() !== '0')
    return fail(`a duplicate key is reported in an unknown form; ${USE_MONGODB}`);
  return ok('refused and recognised');
}

async function serverClock(scratch: Collection<Row>) {
  const change = [{ $set: { now: '$$NOW' } }];
  const options = { upsert: true, returnDocument: 'after' } as const;
  const row = await scratch.findOneAndUpdate({ _id: 'clock' }, change, options);
  if (row?.['now'] instanceof Date) return ok('$$NOW works');
  return fail(`$$NOW gives no time, so no lease and no lock works: switch it on, or ${USE_MONGODB}`);
}

/** The first key warms the connections: on cold ones no two calls meet. */
async function leases(scratch: Collection<LeaseDocument>) {
  const holders = ['one', 'two'];
  const doubled: string[] = [];
  for (let n = 0; n <= RACED_KEYS; n++) {
    const key = `lease-${n}`;
    const taken = await Promise.all(holders.map((holder) => takeLease(scratch, key, holder, 60_000)));
    if (taken.filter(({ holder }, at) => holder === holders[at]).length !== 1) doubled.push(key);
  }
  if (doubled.length === 0) return ok(`each of ${RACED_KEYS + 1} had one holder`);
  return fail(
    `${doubled.length} of ${RACED_KEYS + 1} did not have exactly one holder, so jobs could print twice; ${USE_MONGODB}`,
  );
}

async function refusalOf(write: () => Promise<unknown>): Promise<unknown> {
  return write().then(
    () => undefined,
    (error: unknown) => error,
  );
}
