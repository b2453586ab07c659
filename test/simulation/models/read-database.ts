import type { ViewDefinition } from '../../../src/kernel/projection.js';
import type { Position } from '../../../src/kernel/recorded-event.js';
import type { Milliseconds } from '../../../src/kernel/time.js';
import {
  asksForNothing,
  countedFields,
  indexFor,
  rangeIndex,
  scalarOf,
  withVolatile,
} from '../../../src/event-sourcing/projections/view-index.js';
import { ReadProgress } from '../../../src/event-sourcing/ports/remote-event-store.port.js';
import type { StreamFolding } from '../../../src/event-sourcing/servers/cluster/stream-folding-views.js';
import {
  ViewNotBuiltError,
  ViewStore,
  type Found,
  type RangeQuery,
  type ViewQuery,
  type VolatileChange,
  type Where,
} from '../../../src/event-sourcing/ports/view-store.port.js';
import type { ViewBuild } from '../../../src/event-sourcing/ports/view-writer.port.js';
import { FakeReadStore, pageOf } from '../../kit/fakes/read-store.js';
import type { Link } from '../engine/link.js';
import { IndexedDocuments } from './indexed-documents.js';

const HEAR_AGAIN_MS: Milliseconds = 500;

/** The read database of all instances, with an index for each query. */
export class ReadDatabase extends FakeReadStore {
  override newTables(view: ViewDefinition, epoch: number): ViewBuild {
    const build = super.newTables(view, epoch);
    this.builds.set(build.location, {
      ...this.builds.get(build.location)!,
      documents: new IndexedDocuments(view),
    });
    return build;
  }

  /** @throws ViewNotBuiltError */
  documents(view: ViewDefinition, evenRolledBack: boolean): IndexedDocuments {
    if (this.state?.rollback && !evenRolledBack) throw new ViewNotBuiltError(view);
    const build = this.builds.get(this.active.get(view.name)?.location ?? '');
    if (build?.build.view.version !== view.version) throw new ViewNotBuiltError(view);
    return build.documents as IndexedDocuments;
  }
}

/** The views as one instance reads them. */
export class DatabaseViews extends ViewStore {
  /** @param folding of documents that views lack */
  constructor(
    private readonly link: Link,
    private readonly database: ReadDatabase,
    private readonly folding?: StreamFolding,
    /** Also while readers wait for the recovery of a rolled-back log. */
    private readonly evenRolledBack = false,
  ) {
    super();
  }

  get<D>(view: ViewDefinition<D>, id: string, stream?: string): Promise<D | undefined> {
    const read = () =>
      this.ask(view, `get ${id}`, (documents) => documents.get(id)?.document as D | undefined);
    return this.folding ? this.folding.get(view, id, read, stream) : read();
  }

  getMany<D>(view: ViewDefinition<D>, ids: readonly string[]): Promise<readonly D[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.ask(view, `get ${ids.length}`, (documents) =>
      ids.flatMap((id) => (documents.get(id)?.document as D | undefined) ?? []),
    );
  }

  async find<D>(view: ViewDefinition<D>, query: ViewQuery): Promise<Found<D>> {
    const { where, order, limit } = query;
    indexFor(view, where, order);
    if (asksForNothing(where) || limit <= 0) return { documents: [], positions: [] };
    return this.ask(view, `find ${Object.keys(where).join()}`, (documents) =>
      pageOf(documents.found(where, order), query),
    );
  }

  findPrefix(): Promise<never> {
    throw new Error('no actor of the simulation searches by prefix');
  }

  async count(view: ViewDefinition, where: Where): Promise<number> {
    const isCounted = countedFields(view, where) !== undefined;
    if (!isCounted) indexFor(view, where);
    if (asksForNothing(where)) return 0;
    return this.ask(view, `count ${Object.keys(where).join()}`, (documents) =>
      isCounted ? documents.matching(where) : documents.found(where, 'newest').length,
    );
  }

  async range<D>(view: ViewDefinition<D>, query: RangeQuery): Promise<readonly D[]> {
    const { by, from, upTo, limit } = query;
    rangeIndex(view, by);
    const isAsked = (value: string) =>
      (from === undefined || value >= from) && (upTo === undefined || value <= upTo);
    return this.ask(view, `range ${by}`, (documents) => {
      const found: D[] = [];
      for (const { document } of documents.inOrderOf(by)) {
        const value = String(scalarOf(document, by));
        if (found.length === limit || (upTo !== undefined && value > upTo)) break;
        if (isAsked(value)) found.push(document as D);
      }
      return found;
    });
  }

  totals(): Promise<never> {
    throw new Error('no actor of the simulation looks at charts');
  }

  setVolatile(view: ViewDefinition, change: VolatileChange): Promise<void> {
    return this.ask(view, `defer ${change.id}`, (documents) => {
      const stored = documents.get(change.id);
      const document = stored && withVolatile(view, stored.document, change);
      if (document) documents.set(change.id, { ...stored, document });
    });
  }

  private ask<T>(
    view: ViewDefinition,
    what: string,
    question: (documents: IndexedDocuments) => T,
  ): Promise<T> {
    return this.link.call(`${view.name} ${what}`, () =>
      question(this.database.documents(view, this.evenRolledBack)),
    );
  }
}

/** How far the views are, as one instance has heard. */
export class DatabaseProgress extends ReadProgress {
  private shown: Position | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly link: Link,
    private readonly database: ReadDatabase,
  ) {
    super();
    database.onMoved(() => this.hear());
    this.hear();
  }

  projected(): Position | undefined {
    return this.shown;
  }

  waitFor(position: Position, ms: Milliseconds): Promise<boolean> {
    const isShown = () => (this.shown ?? '') >= position;
    if (isShown()) return Promise.resolve(true);
    const { link } = this;
    return new Promise((resolve) => {
      const end = () => {
        timeout.isCancelled = true;
        this.waiting.delete(look);
        resolve(isShown());
      };
      const look = () => isShown() && end();
      const timeout = link.program.sim.after(ms, '', () => link.program.isAlive && end());
      this.waiting.add(look);
    });
  }

  private hear(): void {
    const { link, database } = this;
    if (!link.program.isAlive) return;
    const frozen = Math.max(0, link.server.frozenUntil - link.program.sim.now);
    link.later(frozen + link.delay(), '', () => {
      if (!link.isOpen) return link.later(HEAR_AGAIN_MS, '', () => this.hear());
      this.shown = database.state?.position;
      for (const look of [...this.waiting]) look();
    });
  }
}
