import type { ViewDefinition } from '../../../src/kernel/projection.js';
import type { Position } from '../../../src/kernel/recorded-event.js';
import type { Milliseconds, Clock } from '../../../src/kernel/time.js';
import type { StoredDocument } from '../../../src/event-sourcing/projections/projection-runner.js';
import { placeInLog } from '../../../src/event-sourcing/projections/creation-order.js';
import { countedFields, indexFor, matches } from '../../../src/event-sourcing/projections/view-index.js';
import { ReadProgress } from '../../../src/event-sourcing/ports/remote-event-store.port.js';
import {
  ViewStore,
  type Found,
  type ViewQuery,
  type Where,
} from '../../../src/event-sourcing/ports/view-store.port.js';
import type {
  KeptDocument,
  MaintenanceAnswer,
  MaintenanceRequest,
  Rollback,
  ViewBuild,
} from '../../../src/event-sourcing/ports/view-writer.port.js';
import { UnavailableError } from '../../../src/kernel/errors.js';
import { sent } from './sent.js';

type FakeTable = Map<string, StoredDocument>;

/** Documents and tombstones of one build. */
interface BuildTables {
  readonly build: ViewBuild;
  readonly epoch: number;
  readonly documents: FakeTable;
  /** Revisions by id. */
  readonly tombstones: Map<string, number>;
}

/** The read store of several instances in memory. */
export class FakeReadStore {
  state: { position: Position | undefined; epoch: number; rollback?: Rollback | undefined } | undefined;
  readonly active = new Map<string, ViewBuild>();
  readonly builds = new Map<string, BuildTables>();
  readonly requests = new Map<string, MaintenanceRequest>();
  readonly answers = new Map<string, MaintenanceAnswer>();
  private readonly listeners = new Set<() => void>();
  private given = 0;

  newTables(view: ViewDefinition, epoch: number): ViewBuild {
    const build = { view, location: `${view.name} v${view.version} ${(this.given += 1)}` };
    this.builds.set(build.location, { build, epoch, documents: new Map(), tombstones: new Map() });
    return build;
  }

  /** Documents of the active build. @throws UnavailableError when no build of this version is active */
  table({ name, version }: Pick<ViewDefinition, 'name' | 'version'>): FakeTable {
    const place = this.builds.get(this.active.get(name)?.location ?? '');
    if (place?.build.view.version !== version)
      throw new UnavailableError(`view ${name} is not built yet`, 'not_written');
    return place.documents;
  }

  /** Revision stored under an id; -1 if there is none. */
  revisionOf({ documents, tombstones }: BuildTables, id: string): number {
    return documents.get(id)?.revision ?? tombstones.get(id) ?? -1;
  }

  put(
    { documents, tombstones }: BuildTables,
    { id, document, revision, creationPosition }: KeptDocument,
  ): void {
    if (document) documents.set(id, { document: sent(document), revision, creationPosition });
    else documents.delete(id);
    if (document) tombstones.delete(id);
    else tombstones.set(id, revision);
  }

  onMoved(listener: () => void): void {
    this.listeners.add(listener);
  }

  moved(): void {
    for (const listener of this.listeners) listener();
  }

  /** Drops everything. */
  lose(): void {
    this.state = undefined;
    for (const lost of [this.active, this.builds, this.requests, this.answers]) lost.clear();
  }
}

/** One page of the rows that match, in the order of the query. */
export function pageOf<D>(rows: readonly StoredDocument[], query: ViewQuery): Found<D> {
  const { order, limit, offset = 0, after } = query;
  const placeOf = (position: string) => (order === 'logged' ? placeInLog(position) : position);
  const isBefore = (a: string, b: string) =>
    order === 'newest' ? placeOf(a) > placeOf(b) : placeOf(a) < placeOf(b);
  const page = [...rows]
    .sort((a, b) => (isBefore(a.creationPosition, b.creationPosition) ? -1 : 1))
    .filter(({ creationPosition }) => after === undefined || isBefore(after, creationPosition))
    .slice(offset, offset + limit);
  return {
    documents: page.map(({ document }) => document as D),
    positions: page.map(({ creationPosition }) => creationPosition),
  };
}

/** Reads the active builds. */
export class FakeViewStore extends ViewStore {
  constructor(private readonly store: Pick<FakeReadStore, 'table' | 'state'>) {
    super();
  }

  private get views(): Pick<FakeReadStore, 'table'> {
    if (this.store.state?.rollback) throw new UnavailableError('no view is built yet', 'not_written');
    return this.store;
  }

  async get<D>(view: ViewDefinition, id: string): Promise<D | undefined> {
    return this.views.table(view).get(id)?.document as D | undefined;
  }

  async getMany<D>(view: ViewDefinition, ids: readonly string[]): Promise<readonly D[]> {
    const table = this.views.table(view);
    return ids.flatMap((id) => (table.get(id)?.document as D | undefined) ?? []);
  }

  async find<D>(view: ViewDefinition, query: ViewQuery): Promise<Found<D>> {
    indexFor(view, query.where, query.order);
    return pageOf(this.matching(view, query.where), query);
  }

  async count(view: ViewDefinition, where: Where): Promise<number> {
    if (!countedFields(view, where)) indexFor(view, where);
    return this.matching(view, where).length;
  }

  async findPrefix(): Promise<never> {
    throw new Error('no spec of the projector asks for a prefix');
  }

  async range(): Promise<never> {
    throw new Error('no spec of the projector asks for a range');
  }

  async totals(): Promise<never> {
    throw new Error('no spec of the projector asks for totals');
  }

  async setVolatile(): Promise<void> {
    throw new Error('no spec of the projector defers a document');
  }

  private matching(view: ViewDefinition, where: Where): StoredDocument[] {
    return [...this.views.table(view).values()].filter(({ document }) => matches(document, where));
  }
}

export class FakeReadProgress extends ReadProgress {
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly store: FakeReadStore,
    private readonly clock: Clock,
  ) {
    super();
    store.onMoved(() => this.waiting.forEach((look) => look()));
  }

  projected(): Position | undefined {
    return this.store.state?.position;
  }

  waitFor(position: Position, ms: Milliseconds): Promise<boolean> {
    const isShown = () => (this.projected() ?? '') >= position;
    if (isShown()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (shown: boolean) => {
        cancel();
        this.waiting.delete(look);
        resolve(shown);
      };
      const look = () => isShown() && end(true);
      const cancel = this.clock.after(ms, () => end(isShown()));
      this.waiting.add(look);
    });
  }
}
