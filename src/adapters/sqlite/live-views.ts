import type { AnyProjection } from '../../kernel/projection.js';
import type { EventCodec } from '../../event-sourcing/write/event-codec.js';
import type { Connection } from './connection.js';
import { ViewRebuild } from './view-rebuild.js';
import { ViewRegistry } from './view-registry.js';
import { ViewTables } from './view-tables.js';

/** Parsed documents cached per view. */
const CACHED_DOCUMENTS = 2_048;
/** No appends wait during the start: big steps write each document once for many events. */
const EVENTS_PER_STEP_AT_START = 20_000;
/** About 20 ms of work between two commits of appends. */
const EVENTS_PER_STEP = 2_000;

/** Opens the view tables for appends, after building new or changed views. */
export class LiveViews {
  readonly tables: ViewTables;
  private readonly registry: ViewRegistry;

  constructor(
    private readonly db: Connection,
    private readonly projections: readonly AnyProjection[],
    private readonly codec: EventCodec,
  ) {
    this.registry = new ViewRegistry(db);
    this.registry.sweep(projections.map(({ view }) => view));
    const missing = projections.filter(({ view }) => !this.registry.isCurrent(view));
    if (missing.length > 0) {
      const rebuild = new ViewRebuild(db, this.registry, missing, codec, EVENTS_PER_STEP_AT_START);
      while (!rebuild.step());
    }
    this.tables = new ViewTables(
      db,
      projections.map((one) => this.choiceOf(one)),
      CACHED_DOCUMENTS,
    );
  }

  /** Steps of a rebuild between appends; the last one switches writes to the new table. */
  *rebuild(names: readonly string[]): Generator<void> {
    const projections = this.projections.filter(({ view }) => names.includes(view.name));
    const rebuild = new ViewRebuild(this.db, this.registry, projections, this.codec, EVENTS_PER_STEP);
    while (!rebuild.step()) yield;
    this.tables.choose(projections.map((projection) => this.choiceOf(projection)));
  }

  private choiceOf(projection: AnyProjection) {
    return { projection, table: this.registry.tableOf(projection.view) };
  }
}
