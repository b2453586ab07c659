import type { AnyProjection, ViewDefinition } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import {
  ProjectionRunner,
  type DocumentWrite,
  type StoredDocument,
} from '../projections/projection-runner.js';
import { withVolatile } from '../projections/view-index.js';
import type { VolatileChange } from '../ports/view-store.port.js';
import type { Connection } from './connection.js';
import { DocumentForm } from './document-form.js';
import { ViewCounts } from './view-counts.js';
import { ViewTable, type ViewTableOptions } from './view-table.js';
import { decodeEvent } from '../write/event-codec.js';
import { LogReader } from './log/log-reader.js';
import { ViewRegistry } from './view-registry.js';

interface Projected {
  readonly projection: AnyProjection;
  readonly table: ViewTable;
  readonly counts: ViewCounts;
}

interface TableChoice {
  readonly projection: AnyProjection;
  readonly table: string;
}

/** Folds events inside a transaction of the caller. */
export class ViewTables {
  private readonly projected = new Map<ViewDefinition, Projected>();
  private runner!: ProjectionRunner;
  private readonly codec: DocumentForm;
  private changed = new Set<string>();

  constructor(
    private readonly db: Connection,
    choices: readonly TableChoice[],
    private readonly options: ViewTableOptions,
  ) {
    this.codec = new DocumentForm(db);
    this.choose(choices);
  }

  get tables(): readonly ViewTable[] {
    return [...this.projected.values()].map(({ table }) => table);
  }

  choose(choices: readonly TableChoice[]): void {
    for (const { projection, table } of choices) {
      this.changed.add(projection.view.name);
      this.projected.set(projection.view, {
        projection,
        table: new ViewTable(this.db, this.codec, projection.view, table, this.options),
        counts: new ViewCounts(this.db, projection.view, table),
      });
    }
    const projections = [...this.projected.values()].map(({ projection }) => projection);
    this.runner = new ProjectionRunner(projections, (view, id) => this.load(view, id));
  }

  handles(type: string): boolean {
    return this.runner.handles(type);
  }

  private load(view: ViewDefinition, id: string): StoredDocument | undefined {
    return this.projected.get(view)!.table.load(id);
  }

  apply(events: Iterable<RecordedEvent>): void {
    for (const write of this.runner.fold(events)) this.write(write);
    this.index();
  }

  takeChanged(): readonly string[] {
    const taken = [...this.changed];
    this.changed = new Set();
    return taken;
  }

  index(all = false): void {
    for (const { table, counts } of this.projected.values()) {
      for (const after of table.index(all)) counts.note({ before: undefined, after });
      counts.flush();
    }
  }

  setVolatile(name: string, change: VolatileChange): void {
    const view = [...this.projected.keys()].find((one) => one.name === name);
    const before = view && this.load(view, change.id);
    const document = before && withVolatile(view, before.document, change);
    if (document) this.write({ view, id: change.id, before, after: { ...before, document } });
  }

  private write(write: Omit<DocumentWrite, 'seen'>): void {
    this.changed.add(write.view.name);
    const { table, counts } = this.projected.get(write.view)!;
    counts.note(table.write(write));
  }

  invalidate(): void {
    this.codec.invalidate();
    for (const { table, counts } of this.projected.values()) {
      table.invalidate();
      counts.invalidate();
    }
  }
}

/** Rows in memory at once: few enough for the young generation. */
const PAGE = 500;

export class ViewReplay {
  private position = 0;
  private readonly log: LogReader;

  constructor(
    source: Connection,
    private readonly tables: ViewTables,
    private readonly eventsPerStep: number,
  ) {
    this.log = new LogReader(source);
  }

  /** Writes each document once; true at the end of the log. */
  step(): boolean {
    const end = this.position + this.eventsPerStep;
    this.tables.apply(this.next(end));
    return this.position < end;
  }

  private *next(end: number): Generator<RecordedEvent> {
    while (this.position < end) {
      const rows = this.log.after(this.position, Math.min(PAGE, end - this.position));
      if (rows.length === 0) return;
      for (const row of rows) if (this.tables.handles(row.type)) yield decodeEvent(row);
      this.position = Number(rows.at(-1)!.position);
    }
  }
}

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
