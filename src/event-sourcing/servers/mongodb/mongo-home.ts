import { MongoClient, type Db } from 'mongodb';
import type { Milliseconds, Clock } from '../../../kernel/time.js';
import type { RateCounters } from '../../../kernel/rate-counters.js';
import { partitions, type Partition } from '../../ports/partitions.js';
import type { Position } from '../../../kernel/recorded-event.js';
import type { ReadProgress } from '../../ports/remote-event-store.port.js';
import { PartitionedProgress } from '../cluster/partitioned-progress.js';
import { HeartbeatWatch, refuseRareHeartbeats } from './heartbeat-watch.js';
import { MongoReadModels, viewDatabase } from './mongo-read-models.js';
import { MongoCheckpointStore, MongoHashStore, MongoIndexBlocks } from './mongo-derived-stores.js';
import { MongoContentStore } from './mongo-content-store.js';
import { CALL_MS, calling, LONG_CALL, SLOW_CALL_MS } from './mongo-errors.js';
import { MongoGroupLeases } from './lease-documents.js';
import { MongoGroupMembers } from './lease-documents.js';
import { MongoLocks } from './mongo-locks.js';
import { MongoLivenessStore } from './mongo-liveness-store.js';
import { MongoRateCounters, type RateCounter } from './mongo-rate-counters.js';
import { MongoViewStore, ViewReaders } from './mongo-view-store.js';
import type { MongoViewWriter } from './mongo-view-writer.js';

export interface MongoStoresOptions {
  /** Its database (default `rps`) holds the read models, `<database>-content` the documents. */
  readonly url: string;
  readonly clock: Clock;
  /** Dates heartbeats and their loss; default: `clock`. */
  readonly heartbeatClock?: Clock;
  /** The driver's stuck server monitor caused a reconnect. */
  readonly revived?: () => void;
  /** Of the read models; default: 1. */
  readonly partitions?: number;
}

/** Closes the connection of a timed-out call soon afterwards. */
const SOCKET_MS: Milliseconds = CALL_MS + 500;
const CONNECT_MS: Milliseconds = 3_000;
const READY_MS: Milliseconds = 1_000;

export class MongoStores {
  private readonly clock: Clock;
  readonly views: MongoViewStore;
  readonly readers: ViewReaders;
  /** For parking the jobs of a rolled-back log, while `views` throws ViewNotBuiltError. */
  readonly recoveryViews: MongoViewStore;
  readonly progress: ReadProgress;
  private readonly parts: readonly MongoReadModels[];
  readonly liveness: MongoLivenessStore;
  readonly checkpoints: MongoCheckpointStore;
  readonly indexBlocks: MongoIndexBlocks;
  readonly hashes: MongoHashStore;
  readonly leases: MongoGroupLeases;
  readonly members: MongoGroupMembers;
  readonly locks: MongoLocks;
  readonly contents: MongoContentStore;

  /** @throws UnavailableError; Error for an unusable URL */
  static async open(options: MongoStoresOptions): Promise<MongoStores> {
    const { url, revived = () => undefined } = options;
    const database = databaseOf(url);
    const client = clientOf(url);
    refuseRareHeartbeats(client);
    const watch = new HeartbeatWatch(client, revived);
    try {
      await calling(() => client.connect());
      const home = new MongoStores(client, watch, database, options);
      await home.prepare();
      return home;
    } catch (error) {
      await watch.stop();
      await client.close();
      throw error;
    }
  }

  private constructor(
    private readonly client: MongoClient,
    private readonly watch: HeartbeatWatch,
    private readonly database: string,
    { clock, heartbeatClock = clock, partitions: count = 1 }: MongoStoresOptions,
  ) {
    const db = client.db(database);
    this.clock = clock;
    this.liveness = new MongoLivenessStore(db, clock);
    this.checkpoints = new MongoCheckpointStore(db);
    this.indexBlocks = new MongoIndexBlocks(db);
    this.hashes = new MongoHashStore(db);
    this.leases = new MongoGroupLeases(db);
    this.members = new MongoGroupMembers(db, count);
    this.locks = new MongoLocks(db, clock);
    this.contents = new MongoContentStore(client.db(`${database}-content`), clock);
    const hooks = {
      prepare: () => this.prepare(),
      onLoss: () => this.liveness.noteLoss(heartbeatClock.now()),
      deletePositions: () => this.checkpoints.deleteAll(),
    };
    const dbOf = (partition: Partition) => client.db(viewDatabase(database, partition));
    this.parts = partitions(count).map((one) => {
      const hideOthers = (end: Position) => this.hide(end, one);
      return new MongoReadModels(dbOf(one), clock, { ...hooks, hideOthers });
    });
    const progress = this.parts.map((part) => part.progress);
    this.progress = progress.length > 1 ? new PartitionedProgress(progress) : progress[0]!;
    this.readers = new ViewReaders(this.parts);
    this.views = new MongoViewStore(this.readers);
    this.recoveryViews = new MongoViewStore(new ViewReaders(this.parts, true));
  }

  /** Of each partition. */
  get writers(): readonly MongoViewWriter[] {
    return this.parts.map(({ writer }) => writer);
  }

  get writer(): MongoViewWriter {
    return this.parts[0]!.writer;
  }

  /** @param alone counts while the shared counters are unavailable */
  rateCounters(alone: RateCounters): RateCounters {
    // Losing some counts in a failover is cheaper than waiting for a majority at every request.
    const options = { writeConcern: { w: 1 } } as const;
    const counters = this.client.db(this.database, options).collection<RateCounter>('rate_counters');
    return new MongoRateCounters(counters, this.clock, alone);
  }

  /** @throws UnavailableError without a primary */
  async check(): Promise<void> {
    await calling(() => this.db.command({ ping: 1 }), READY_MS);
  }

  async close(): Promise<void> {
    await Promise.all(this.parts.map(({ progress }) => progress.stop()));
    await this.liveness.close();
    await this.watch.stop();
    await this.client.close();
  }

  private async hide(end: Position, except: Partition): Promise<void> {
    const others = this.writers.filter((_, index) => index !== except.index);
    await Promise.all(others.map((writer) => writer.hide(end)));
  }

  private get db(): Db {
    return this.client.db(this.database);
  }

  private async prepare(): Promise<void> {
    const counters = this.db.collection<RateCounter>('rate_counters');
    const all = () =>
      Promise.all([
        ...this.writers.map((writer) => writer.prepare()),
        this.locks.prepare(),
        ...(this.parts.length > 1 ? [this.members.prepare()] : []),
        this.contents.prepare(),
        counters.createIndex({ ends: 1 }, { ...LONG_CALL, expireAfterSeconds: 0 }),
      ]);
    await calling(all, SLOW_CALL_MS);
  }
}

function clientOf(url: string): MongoClient {
  return new MongoClient(url, {
    appName: 'remote-printing-service',
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
    ignoreUndefined: true,
    socketTimeoutMS: SOCKET_MS,
    waitQueueTimeoutMS: CALL_MS,
    connectTimeoutMS: CONNECT_MS,
    serverSelectionTimeoutMS: CONNECT_MS,
  });
}

const DEFAULT_DATABASE = 'rps';
/** source: www.mongodb.com/docs/manual/reference: local-database, config-database, system-users-collection */
const OF_THE_SERVER: ReadonlySet<string> = new Set(['admin', 'config', 'local']);

/** @throws Error for a system database, without other parts of the URL, which may hold a password */
export function databaseOf(url: string): string {
  const [, named = DEFAULT_DATABASE] = /^[^/]+:\/\/[^/?]+\/([^?]+)/.exec(url) ?? [];
  const database = decoded(named);
  if (OF_THE_SERVER.has(database.toLowerCase())) {
    throw new Error(
      `the database ${database} belongs to MongoDB itself: name one of our own, as in /rps?authSource=admin`,
    );
  }
  return database;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Error('the name of the database is not percent-encoded as a URL wants it');
  }
}
