import { MongoClient, type Document, type Collection, type IndexDescription } from 'mongodb';
import type { ViewDefinition } from '../../../kernel/projection.js';
import { epochMs, type Milliseconds, type Clock } from '../../../kernel/time.js';
import {
  type HealthCheck,
  clockFinding,
  fail,
  runCheck,
  ok,
  versionFinding,
  warn,
  took,
} from '../../ports/findings.js';
import type { Randomness } from '../../../kernel/ids.js';
import { partitions } from '../../ports/partitions.js';
import { databaseOf } from './mongo-home.js';
import { viewDatabase } from './mongo-read-models.js';
import { refuseRareHeartbeats } from './heartbeat-watch.js';
import { isOfVersion, READ_STATE, type ReadState } from './read-state-cache.js';
import { indexesOf } from './view-questions.js';
import { takeLease, type LeaseDocument } from './lease-documents.js';
import { isIdTaken, takenOf } from './mongo-errors.js';

export interface MongoHealthCheckOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly views: readonly ViewDefinition[];
  /** Of the read models; default: 1. */
  readonly partitions?: number;
}

/** The driver supports 4.2 and later; this release was written for 6.0. */
const KNOWN = { atLeast: [6, 0], below: [9, 0] } as const;
const CALL_MS: Milliseconds = 5_000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)(:\d+)?$/;

export async function* mongoHealthCheck(options: MongoHealthCheckOptions): HealthCheck {
  let client: MongoClient | undefined;
  const judged = await runCheck('MONGODB_URL', () => {
    databaseOf(options.url);
    client = new MongoClient(options.url, { socketTimeoutMS: CALL_MS, serverSelectionTimeoutMS: CALL_MS });
    refuseRareHeartbeats(client);
    return judgeOptions(client);
  });
  yield judged;
  if (!client || judged.verdict === 'fail') return;
  const target = new CheckTarget(client, options);
  try {
    const connected = await runCheck('read store: primary answers', () => target.hello());
    yield connected;
    if (connected.verdict === 'fail') return;
    const engine = await runCheck('read store: engine', () => target.engine());
    yield engine;
    if (engine.verdict === 'fail') return;
    yield await runCheck('read store: version', () => target.version());
    yield await runCheck('read store: replica set', () => target.replicaSet());
    yield await runCheck('read store: clock', () => target.clock());
    for (const database of target.databases) {
      yield await runCheck(`read store: write and read back in ${database}`, () =>
        target.writeAndReadBack(database),
      );
    }
    yield* target.capabilities();
    for (const database of target.viewDatabases) {
      const which = target.viewDatabases.length > 1 ? ` in ${database}` : '';
      yield await runCheck(`read store: read models${which}`, () => target.readModels(database));
    }
  } finally {
    await client.close();
  }
}

function judgeOptions({ options }: MongoClient) {
  const { tls, credentials, hosts } = options;
  const remote = hosts.map(String).filter((host) => !LOOPBACK.test(host));
  const problems = [
    ...(remote.length > 0 && !tls ? [`no TLS to ${remote.join(', ')}`] : []),
    ...(remote.length > 0 && !credentials ? ['no user: anybody who reaches it reads and writes'] : []),
  ];
  return problems.length > 0 ? warn(problems.join('; ')) : ok('TLS and user fit together');
}

class CheckTarget {
  readonly databases: readonly string[];
  readonly viewDatabases: readonly string[];
  private buildInfo: Document = {};
  private seen: { hello: Document; before: number; after: number } | undefined;

  constructor(
    private readonly client: MongoClient,
    private readonly options: MongoHealthCheckOptions,
  ) {
    const database = databaseOf(options.url);
    this.viewDatabases = partitions(options.partitions ?? 1).map((one) => viewDatabase(database, one));
    this.databases = [...new Set([database, `${database}-content`, ...this.viewDatabases])];
  }

  async hello() {
    const { clock } = this.options;
    await this.client.connect();
    const started = performance.now();
    const before = epochMs(clock.now());
    const hello = await this.client.db('admin').command({ hello: 1 });
    this.seen = { hello, before, after: epochMs(clock.now()) };
    const found = `in ${took(started)}`;
    return hello['isWritablePrimary'] === true ? ok(found) : fail(`${found}, but is no primary`);
  }

  async engine() {
    this.buildInfo = await this.client.db('admin').command({ buildInfo: 1 });
    return engineFinding(this.seen!.hello, this.buildInfo);
  }

  version() {
    return versionFinding(String(this.buildInfo['version']), KNOWN);
  }

  replicaSet() {
    const { setName, hosts, msg } = this.seen!.hello as { setName?: string; hosts?: string[]; msg?: string };
    if (msg === 'isdbgrid') return warn('a sharded cluster: not what this was written for');
    if (!setName) return warn('none: nothing takes over, and a crash may lose what the journal had not');
    const members = hosts?.length ?? 0;
    return ok(`${setName}, ${members} ${members === 1 ? 'member: nothing takes over' : 'members'}`);
  }

  clock() {
    const { hello, before, after } = this.seen!;
    return clockFinding((hello['localTime'] as Date).getTime(), before, after);
  }

  async writeAndReadBack(database: string) {
    const { randomness } = this.options;
    const said = randomness.uuid();
    const scratch = this.client.db(database).collection<{ _id: string; said: string }>(`doctor_${said}`, {
      writeConcern: { w: 'majority', journal: true },
    });
    const started = performance.now();
    try {
      await scratch.createIndex({ said: 1 });
      await scratch.insertOne({ _id: said, said });
      const back = await scratch.findOne({ said });
      if (back?.said !== said) return fail('what was written was not read');
      return ok(`in ${took(started)}`);
    } finally {
      await scratch.drop();
    }
  }

  async *capabilities(): HealthCheck {
    const db = this.client.db(this.databases[0]!, { writeConcern: { w: 'majority', journal: true } });
    const scratch = db.collection<Document & { _id: string }>(`doctor_${this.options.randomness.uuid()}`);
    try {
      yield* capabilityCheck(scratch);
    } finally {
      await scratch.drop();
    }
  }

  async readModels(database: string) {
    const db = this.client.db(database);
    const state = await db.collection<ReadState>('read_state').findOne({ _id: READ_STATE });
    if (!state?.places) return ok('none yet: a worker builds them');
    const unbuilt: string[] = [];
    const missing: string[] = [];
    for (const view of this.options.views) {
      const collection = state.places[view.name];
      if (collection === undefined || !isOfVersion(collection, view)) {
        unbuilt.push(view.name);
        continue;
      }
      const there = new Set(
        (await db.collection(collection).listIndexes().toArray()).map(({ name }) => String(name)),
      );
      missing.push(
        ...indexesOf(view).flatMap(({ name }) => (there.has(name!) ? [] : [`${view.name}.${name}`])),
      );
    }
    if (missing.length > 0) return fail(`indexes missing: ${missing.join(', ')}; rebuild these views`);
    if (unbuilt.length > 0) return warn(`not built in this release's version: ${unbuilt.join(', ')}`);
    return ok(`${this.options.views.length} with all indexes`);
  }
}

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
