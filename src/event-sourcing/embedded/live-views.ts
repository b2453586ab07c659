import type { AnyProjection } from '../../kernel/projection.js';
import type { Connection } from './connection.js';
import { ViewRegistry } from './view-registry.js';
import { ViewTables, ViewReplay } from './view-tables.js';

const CACHED_DOCUMENTS = 4_096;
/** Parsed documents cached during a rebuild, for streams in progress. */
const CACHED_WHILE_BUILDING = 8_000;
/** Per view. A query scans them in 0.3 µs each; more of them absorb more changes of a job before indexing. */
const MAX_UNINDEXED = 256;
/** No appends wait during the start: big steps write each document once for many events. */
const EVENTS_PER_STEP_AT_START = 20_000;
/** About 20 ms of work between two commits of appends. */
const EVENTS_PER_STEP = 2_000;

export class LiveViews {
  readonly tables: ViewTables;
  private readonly registry: ViewRegistry;

  constructor(
    private readonly db: Connection,
    private readonly projections: readonly AnyProjection[],
    maxUnindexed = MAX_UNINDEXED,
  ) {
    this.registry = new ViewRegistry(db);
    this.registry.sweep(projections.map(({ view }) => view));
    const missing = projections.filter(({ view }) => !this.registry.isCurrent(view));
    if (missing.length > 0) {
      const steps = this.build(missing, EVENTS_PER_STEP_AT_START);
      while (!steps.next().done);
    }
    this.tables = new ViewTables(
      db,
      projections.map((one) => this.choiceOf(one)),
      { cachedDocuments: CACHED_DOCUMENTS, maxUnindexed },
    );
    db.transaction(() => this.tables.index(true))();
  }

  /** Appends run between the steps. The last step switches to the new tables. */
  *rebuild(names: readonly string[]): Generator<void> {
    const projections = this.projections.filter(({ view }) => names.includes(view.name));
    yield* this.build(projections, EVENTS_PER_STEP);
    this.tables.choose(projections.map((projection) => this.choiceOf(projection)));
  }

  /** Fills tables beside the current ones; each step is a transaction. */
  private *build(projections: readonly AnyProjection[], eventsPerStep: number): Generator<void> {
    const { db, registry } = this;
    const choices = projections.map((projection) => ({
      projection,
      table: registry.nextTableOf(projection.view),
    }));
    // A build that failed left them.
    db.transaction(() => choices.forEach(({ table }) => registry.drop(table)))();
    const tables = new ViewTables(db, choices, { cachedDocuments: CACHED_WHILE_BUILDING });
    const replay = new ViewReplay(db, tables, eventsPerStep);
    while (!db.transaction(() => replay.step())()) yield;
    for (const statement of tables.tables.flatMap((table) => table.indexStatements())) {
      db.exec(statement);
      yield;
    }
    db.transaction(() => {
      while (!replay.step());
      for (const { view } of projections) registry.switch(view);
    })();
  }

  private choiceOf(projection: AnyProjection) {
    return { projection, table: this.registry.tableOf(projection.view) };
  }
}
