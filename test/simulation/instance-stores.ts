import { followedTypesOf } from '../../src/app/types-of-instances.js';
import { projectionsFor } from '../../src/app/projections.js';
import type { Config } from '../../src/config.js';
import type { ContentStore } from '../../src/event-sourcing/ports/content-store.port.js';
import type { CheckpointStore } from '../../src/event-sourcing/ports/event-store.port.js';
import type { GroupLeases } from '../../src/event-sourcing/ports/group-leases.port.js';
import { HashStore } from '../../src/event-sourcing/ports/hash-store.port.js';
import type { IndexBlocks } from '../../src/event-sourcing/ports/index-blocks.port.js';
import type { LivenessStore } from '../../src/event-sourcing/ports/liveness-store.port.js';
import type { StoredTexts } from '../../src/event-sourcing/ports/stored-texts.port.js';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import { ViewProjector } from '../../src/event-sourcing/projections/view-projector.js';
import { ProjectedEventStore } from '../../src/event-sourcing/servers/cluster/projected-event-store.js';
import { RemoteViewMaintenance } from '../../src/event-sourcing/servers/cluster/remote-view-maintenance.js';
import {
  StreamFolding,
  UnprojectedStreams,
} from '../../src/event-sourcing/servers/cluster/stream-folding-views.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import { FakeContentStore } from '../kit/fakes/content-store.js';
import { FakeGroupLeases } from '../kit/fakes/group-leases.js';
import { FakeViewWriter } from '../kit/fakes/view-writer.js';
import { Link, Server } from './engine/link.js';
import { Program, ProgramClock, ProgramRandomness } from './engine/program.js';
import type { Simulator } from './engine/simulator.js';
import { Log } from './models/log.js';
import { LogConnection } from './models/log-connection.js';
import { DatabaseProgress, DatabaseViews, ReadDatabase } from './models/read-database.js';
import { MemoryBlocks, MemoryCheckpoints, MemoryLiveness, SharedLocks } from './models/small-stores.js';

/** The two servers that all instances use, and what they hold. */
export class SharedServers {
  readonly log = new Log();
  readonly database = new ReadDatabase();
  readonly contents = new FakeContentStore();
  readonly liveness = new MemoryLiveness();
  readonly checkpoints = new MemoryCheckpoints();
  readonly blocks = new MemoryBlocks();
  readonly leases: FakeGroupLeases;
  readonly locks: FakeGroupLeases;
  readonly eventServer: Server;
  readonly readServer: Server;

  constructor(sim: Simulator) {
    this.eventServer = new Server(sim, 'log');
    this.readServer = new Server(sim, 'db');
    const clock = new ProgramClock(new Program(sim, 'the read database'));
    this.leases = new FakeGroupLeases(clock);
    this.locks = new FakeGroupLeases(clock);
  }
}

export interface InstanceStores extends Stores {
  /** To the servers; the embedded stores have none. */
  readonly connection?: LogConnection;
  readonly links?: { readonly log: Link; readonly db: Link };
}

/** The evidence log is switched off, so nothing asks for texts or hashes. */
const unread = () => Promise.reject(new Error('the simulation has no evidence log'));
const texts: StoredTexts = { after: unread, stream: unread, at: unread };
class NoHashes extends HashStore {
  clear = unread;
  protected read = unread;
  protected write = unread;
}

/** As `openServerStores`, over the models. */
export function connectStores(
  program: Program,
  servers: SharedServers,
  config: Config,
  onError: (error: unknown) => void,
): InstanceStores {
  const links = { log: new Link(program, servers.eventServer), db: new Link(program, servers.readServer) };
  const { log, db } = links;
  const connection = new LogConnection(log, servers.log);
  const clock = new ProgramClock(program);
  const projections = projectionsFor(config);
  const types = followedTypesOf(projections);
  const progress = new DatabaseProgress(db, servers.database);
  const unprojected = new UnprojectedStreams(progress);
  const note = (fresh: readonly RecordedEvent[]) => unprojected.add(fresh.filter(types.isProjected));
  const events = new ProjectedEventStore(connection, progress, { types, appended: note, onError, clock });
  events.listen({ remoteEvents: note, subscribed: (head) => unprojected.begin(head) });
  const writer = db.remote(new FakeViewWriter(servers.database), WRITER_METHODS);
  let recover: Parameters<NonNullable<Stores['recoverWith']>>[0] = () => Promise.resolve();
  const recoveryViews = new DatabaseViews(db, servers.database, undefined, true);
  const projector = new ViewProjector(connection, writer, projections, clock, {
    onError,
    onRolledBack: (rollback) => recover(recoveryViews, rollback),
    metrics: { applied: () => undefined, halted: () => undefined },
  });
  return {
    ...{ connection, links, events, texts, hashes: new NoHashes() },
    views: new DatabaseViews(db, servers.database, new StreamFolding(connection, projections, unprojected)),
    contents: db.remote<ContentStore>(servers.contents, ['put', 'get', 'has', 'ids', 'delete']),
    liveness: db.remote<LivenessStore>(servers.liveness, [
      ...(['recordHeartbeat', 'lastHeartbeats', 'delete'] as const),
    ]),
    checkpoints: db.remote<CheckpointStore>(servers.checkpoints, ['get', 'put', 'replace']),
    indexBlocks: db.remote<IndexBlocks>(servers.blocks, ['from', 'newest', 'put', 'clear']),
    locks: new SharedLocks(program, db.remote<GroupLeases>(servers.locks, ['acquire', 'release'])),
    leases: db.remote<GroupLeases>(servers.leases, ['acquire', 'release']),
    maintenance: new RemoteViewMaintenance(
      connection,
      [writer],
      projections.map(({ view }) => view),
      { clock, randomness: new ProgramRandomness(program) },
      { types: types.projected, heardAfter: (position) => events.heardAfter(position) },
    ),
    projectors: new Map([['views', projector]]),
    recoverWith: (given) => void (recover = given),
    close: async () => undefined,
  };
}

const WRITER_METHODS = [
  ...(['takeOver', 'active', 'begin', 'load', 'write', 'advance', 'progress', 'activate'] as const),
  ...(['rollBack', 'recovered', 'discard', 'request', 'requested', 'answer', 'answerOf'] as const),
];
