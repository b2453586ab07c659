import type { Collection } from 'mongodb';
import type { ViewDefinition } from '../../../kernel/projection.js';
import type { Position } from '../../../kernel/recorded-event.js';
import type { Clock } from '../../../kernel/time.js';
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
import { READ_STATE, type ReadStateCache, type ReadState } from './read-state-cache.js';
import type { MaintenanceRequests } from './maintenance-requests.js';
import { calling, isIdTaken, retrySocket, SLOW_CALL_MS } from './mongo-errors.js';
import type { ViewBuilds } from './view-builds.js';
import { isOrderedByTime, keepsTotals, versionIn } from './collection-names.js';
import { keptOf, rowOf, tombstoneOf } from './view-rows.js';
import { TOTAL_IDS, totalKey, totalsIn, ViewTotals } from './view-totals.js';

const PAGE = 1_000;

export interface WriterDependencies {
  readonly states: Collection<ReadState>;
  readonly readState: ReadStateCache;
  readonly builds: ViewBuilds;
  readonly requests: MaintenanceRequests;
  readonly clock: Clock;
  /** Creates everything beside the views, because the database may be new or was dropped. */
  readonly prepare: () => Promise<void>;
  /** Called if events exist but no view: the rest of the database was lost too. */
  readonly onLoss: () => Promise<void>;
  /** Called before the views are rolled back: later positions are meaningless. */
  readonly deletePositions: () => Promise<void>;
}

/** Every change of the read state names the epoch of the projector's lease. */
export class MongoViewWriter extends ViewWriter {
  /** No view has had a collection since the take-over. */
  private hasNoCollection = false;
  private readonly kept = new ViewTotals();

  constructor(private readonly dependencies: WriterDependencies) {
    super();
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
      if (collection === undefined || versionIn(collection, view) !== view.version) return [];
      const isCurrent = isOrderedByTime(collection) && (!view.countBy || keepsTotals(collection));
      return !isCurrent ? { view, location: collection, isOutdated: true } : { view, location: collection };
    });
  }

  begin(view: ViewDefinition, { epoch }: GroupLease): Promise<ViewBuild> {
    return calling(() => this.dependencies.builds.begin(view, epoch), SLOW_CALL_MS);
  }

  async load(build: ViewBuild, ids: readonly string[]): Promise<readonly KeptDocument[]> {
    const found = this.dependencies.builds
      .rows(build)
      .find({ _id: { $in: [...ids] } }, { batchSize: ids.length + 1 });
    return (await calling(() => found.toArray())).map(keptOf);
  }

  async write(writes: readonly BuildWrites[]): Promise<number> {
    const now = this.dependencies.clock.now();
    const stale = writes.map(({ build, documents, counts = [] }) => {
      const rows = documents.map((kept) =>
        kept.document ? rowOf(kept, kept.document, build.view) : tombstoneOf(kept, now),
      );
      const totals = keepsTotals(build.location) ? { kept: this.kept, changes: counts } : undefined;
      return calling(() => writeGated(this.dependencies.builds.rows(build), rows, totals));
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
    await this.dependencies.deletePositions();
    const kept = await this.change(lease, {
      $set: { rolled_back: end },
      $unset: { position: 1, places: 1 },
    });
    await this.dependencies.readState.refresh();
    return kept;
  }

  async recovered(lease: GroupLease): Promise<boolean> {
    const kept = await this.change(lease, { $unset: { rolled_back: 1 } });
    await this.dependencies.readState.refresh();
    return kept;
  }

  discard(build: ViewBuild): Promise<void> {
    return calling(() => this.dependencies.builds.discard(build), SLOW_CALL_MS);
  }

  /** Reads in pages, because a cursor would time out on a large view. */
  async *all(build: ViewBuild): AsyncIterable<KeptDocument> {
    const options = { sort: { _position: 1 }, limit: PAGE, batchSize: PAGE + 1 } as const;
    for (let after = ''; ;) {
      const page = this.dependencies.builds.rows(build).find({ _position: { $gt: after } }, options);
      const rows = await calling(() => page.toArray());
      yield* rows.map(keptOf);
      if (rows.length < PAGE) return;
      after = rows.at(-1)!._position!;
    }
  }

  async *totals(build: ViewBuild): AsyncIterable<KeptTotal> {
    const options = { sort: { _id: 1 }, limit: PAGE, batchSize: PAGE + 1 } as const;
    const { first, end } = TOTAL_IDS;
    for (let from: object = { $gte: first }; keepsTotals(build.location);) {
      const page = totalsIn(this.dependencies.builds.rows(build)).find(
        { _id: { ...from, $lt: end } },
        options,
      );
      const rows = await calling(() => page.toArray());
      for (const { _id, n } of rows) if (n !== 0) yield [totalKey(_id), n];
      if (rows.length < PAGE) return;
      from = { $gt: rows.at(-1)!._id };
    }
  }

  request(request: MaintenanceRequest): Promise<void> {
    return calling(() => this.dependencies.requests.add(request));
  }

  requested(): Promise<readonly MaintenanceRequest[]> {
    return calling(() => this.dependencies.requests.open());
  }

  answer(request: MaintenanceRequest, answer: MaintenanceAnswer): Promise<void> {
    return calling(() => this.dependencies.requests.answer(request, answer));
  }

  answerOf(requestId: string): Promise<MaintenanceAnswer | undefined> {
    return calling(() => this.dependencies.requests.answerOf(requestId));
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
  if (!state?.rolled_back) return undefined;
  return { end: state.rolled_back === true ? undefined : state.rolled_back };
}
