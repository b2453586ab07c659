import type { Collection, Db } from 'mongodb';
import type { ViewDefinition } from '../../../kernel/projection.js';
import type { Position } from '../../../kernel/recorded-event.js';
import { epochMs, type Clock } from '../../../kernel/time.js';
import type { GroupLease } from '../../ports/group-leases.port.js';
import {
  ViewWriter,
  type BuildWrites,
  type KeptDocument,
  type KeptTotal,
  type MaintenanceAnswer,
  type MaintenanceRequest,
  type Rollback,
  type ViewBuild,
  type ViewProgress,
} from '../../ports/view-writer.port.js';
import { writeGated } from './gated-writes.js';
import { epochIn, isOfVersion, newCollectionName, READ_STATE } from './read-state-cache.js';
import type { ReadStateCache, ReadState } from './read-state-cache.js';
import { calling, isIdTaken, LONG_CALL, retrySocket, retryUpsert, SLOW_CALL_MS } from './mongo-errors.js';
import { indexesOf } from './view-questions.js';
import { keptOf, rowOf, tombstoneOf, type ViewRow } from './view-rows.js';
import { TOTAL_IDS, totalKey, totalsIn, ViewTotals } from './view-totals.js';

const PAGE = 1_000;
const REQUESTS_KEPT_SECONDS = 24 * 3_600;

interface RequestRow {
  readonly _id: string;
  readonly request: MaintenanceRequest;
  readonly asked_at: Date;
  /** JSON, because results may contain any keys. */
  readonly answer?: string;
}

export interface WriterDependencies {
  readonly db: Db;
  readonly states: Collection<ReadState>;
  readonly readState: ReadStateCache;
  readonly clock: Clock;
  /** Creates everything beside the views, because the database may be new or was dropped. */
  readonly prepare: () => Promise<void>;
  /** Called if events exist but no view: the rest of the database was lost too. */
  readonly onLoss: () => Promise<void>;
  /** Called before the views are rolled back: later positions are meaningless. */
  readonly deletePositions: () => Promise<void>;
  /** Called when this partition is the first to notice a rollback: the others show what the log has lost, too. */
  readonly hideOthers: (end: Position) => Promise<void>;
}

/** Every change of the read state names the epoch of the projector's lease. */
export class MongoViewWriter extends ViewWriter {
  /** No view has had a collection since the take-over. */
  private hasNoCollection = false;
  private readonly kept = new ViewTotals();

  private readonly requests: Collection<RequestRow>;

  constructor(private readonly dependencies: WriterDependencies) {
    super();
    this.requests = dependencies.db.collection('maintenance_requests');
  }

  async prepare(): Promise<void> {
    const options = { ...LONG_CALL, expireAfterSeconds: REQUESTS_KEPT_SECONDS };
    await this.requests.createIndex({ asked_at: 1 }, options);
  }

  async takeOver({ epoch }: GroupLease): Promise<ViewProgress | undefined> {
    await this.dependencies.prepare();
    const earlier = { _id: READ_STATE, epoch: { $lte: epoch } } as const;
    const options = { upsert: true, returnDocument: 'after' } as const;
    try {
      const take = () => this.dependencies.states.findOneAndUpdate(earlier, { $set: { epoch } }, options);
      const state = await calling(take);
      this.hasNoCollection = state?.places === undefined;
      return { position: state?.position, epoch, rollback: rollbackIn(state) };
    } catch (error) {
      if (isIdTaken(error)) return undefined;
      throw error;
    }
  }

  async active(views: readonly ViewDefinition[]): Promise<readonly ViewBuild[]> {
    const places = (await this.state())?.places ?? {};
    return views.flatMap((view) => {
      const collection = places[view.name];
      return collection !== undefined && isOfVersion(collection, view) ? { view, location: collection } : [];
    });
  }

  begin(view: ViewDefinition, { epoch }: GroupLease): Promise<ViewBuild> {
    return calling(async () => {
      await this.dropInactive(view, epoch);
      const build = { view, location: newCollectionName(view, epoch) };
      await this.rows(build).createIndexes(indexesOf(view), LONG_CALL);
      return build;
    }, SLOW_CALL_MS);
  }

  async load(build: ViewBuild, ids: readonly string[]): Promise<readonly KeptDocument[]> {
    const found = this.rows(build).find({ _id: { $in: [...ids] } }, { batchSize: ids.length + 1 });
    return (await calling(() => found.toArray())).map(keptOf);
  }

  async write(writes: readonly BuildWrites[]): Promise<number> {
    const now = this.dependencies.clock.now();
    const stale = writes.map(({ build, documents, counts = [] }) => {
      const rows = documents.map((kept) =>
        kept.document ? rowOf(kept, kept.document, build.view) : tombstoneOf(kept, now),
      );
      const totals = build.view.countBy && { kept: this.kept, changes: counts };
      return calling(() => writeGated(this.rows(build), rows, totals));
    });
    return (await Promise.all(stale)).reduce((sum, n) => sum + n, 0);
  }

  async advance(position: Position, lease: GroupLease): Promise<boolean> {
    if (this.hasNoCollection) await this.dependencies.onLoss();
    const kept = await this.change(lease, { $max: { position } });
    if (kept) this.report(position);
    return kept;
  }

  report(position: Position): void {
    if (position > (this.dependencies.readState.position ?? ''))
      this.dependencies.readState.report({ position });
  }

  async progress(): Promise<ViewProgress | undefined> {
    const state = await this.state();
    return state && { position: state.position, epoch: state.epoch, rollback: rollbackIn(state) };
  }

  async activate({ view, location: collection }: ViewBuild, lease: GroupLease): Promise<boolean> {
    const kept = await this.change(lease, { $set: { [`places.${view.name}`]: collection } });
    if (kept) this.hasNoCollection = false;
    if (kept) this.dependencies.readState.report({ places: { [view.name]: collection } });
    return kept;
  }

  async rollBack(lease: GroupLease, end: Position): Promise<boolean> {
    const { deletePositions, hideOthers, readState } = this.dependencies;
    await deletePositions();
    const isFirst = rollbackIn(await this.state()) === undefined;
    if (isFirst) await hideOthers(end);
    const kept = await this.change(lease, {
      $set: { rolled_back: end },
      $unset: { position: 1, places: 1 },
    });
    await readState.refresh();
    return kept;
  }

  /** Until `recovered` by the holder of its lease, which looks for this at each of its rounds. @param end as `rollBack` */
  async hide(end: Position): Promise<void> {
    const { states, readState } = this.dependencies;
    await calling(() => states.updateOne({ _id: READ_STATE }, { $set: { rolled_back: end } }));
    await readState.refresh();
  }

  async recovered(lease: GroupLease): Promise<boolean> {
    const kept = await this.change(lease, { $unset: { rolled_back: 1 } });
    await this.dependencies.readState.refresh();
    return kept;
  }

  async discard({ location: collection }: ViewBuild): Promise<void> {
    await calling(() => this.dependencies.db.dropCollection(collection, LONG_CALL), SLOW_CALL_MS);
  }

  /** Reads in pages, because a cursor would time out on a large view. */
  async *all(build: ViewBuild): AsyncIterable<KeptDocument> {
    const options = { sort: { _position: 1 }, limit: PAGE, batchSize: PAGE + 1 } as const;
    for (let after = ''; ;) {
      const page = this.rows(build).find({ _position: { $gt: after } }, options);
      const rows = await calling(() => page.toArray());
      yield* rows.map(keptOf);
      if (rows.length < PAGE) return;
      after = rows.at(-1)!._position!;
    }
  }

  async *totals(build: ViewBuild): AsyncIterable<KeptTotal> {
    const options = { sort: { _id: 1 }, limit: PAGE, batchSize: PAGE + 1 } as const;
    const { first, end } = TOTAL_IDS;
    for (let from: object = { $gte: first }; build.view.countBy;) {
      const page = totalsIn(this.rows(build)).find({ _id: { ...from, $lt: end } }, options);
      const rows = await calling(() => page.toArray());
      for (const { _id, n } of rows) if (n !== 0) yield [totalKey(_id), n];
      if (rows.length < PAGE) return;
      from = { $gt: rows.at(-1)!._id };
    }
  }

  async request(request: MaintenanceRequest): Promise<void> {
    const asked = { request, asked_at: new Date(epochMs(this.dependencies.clock.now())) };
    const once = () =>
      this.requests.updateOne({ _id: request.id }, { $setOnInsert: asked }, { upsert: true });
    await calling(() => retryUpsert(once));
  }

  async requested(): Promise<readonly MaintenanceRequest[]> {
    const unanswered = this.requests.find({ answer: { $exists: false } }, { sort: { asked_at: 1, _id: 1 } });
    return (await calling(() => unanswered.toArray())).map(({ request }) => request);
  }

  async answer({ id }: MaintenanceRequest, answer: MaintenanceAnswer): Promise<void> {
    const answered = { $set: { answer: JSON.stringify(answer) } };
    await calling(() => this.requests.updateOne({ _id: id }, answered));
  }

  async answerOf(requestId: string): Promise<MaintenanceAnswer | undefined> {
    const row = await calling(() => this.requests.findOne({ _id: requestId }));
    return row?.answer === undefined ? undefined : (JSON.parse(row.answer) as MaintenanceAnswer);
  }

  private rows({ location: collection }: ViewBuild): Collection<ViewRow> {
    return this.dependencies.db.collection(collection);
  }

  /** Collections of a later epoch stay: its holder may be filling them. */
  private async dropInactive(view: ViewDefinition, epoch: number): Promise<void> {
    const { db, states } = this.dependencies;
    const active = (await states.findOne({ _id: READ_STATE }))?.places?.[view.name];
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
      if (name !== active && (epochIn(name, view) ?? Infinity) <= epoch)
        await db.dropCollection(name, LONG_CALL);
  }

  private async state(): Promise<ReadState | undefined> {
    return (await calling(() => this.dependencies.states.findOne({ _id: READ_STATE }))) ?? undefined;
  }

  /** False if the lease ended or the state was lost. */
  private async change({ epoch }: GroupLease, change: object): Promise<boolean> {
    const mine = { _id: READ_STATE, epoch } as const;
    const moved = () => this.dependencies.states.updateOne(mine, change);
    return (await calling(() => retrySocket(moved))).matchedCount > 0;
  }
}

function rollbackIn(state: ReadState | null | undefined): Rollback | undefined {
  return state?.rolled_back === undefined ? undefined : { end: state.rolled_back };
}
