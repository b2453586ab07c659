import type { AnyProjection } from '../../kernel/projection.js';
import type { EventCodec } from '../../event-sourcing/write/event-codec.js';
import type { Connection } from './connection.js';
import { ViewReplay } from './view-replay.js';
import type { ViewRegistry } from './view-registry.js';
import { ViewTables } from './view-tables.js';

/** Parsed documents cached during a rebuild, for streams in progress. */
const CACHED_DOCUMENTS = 4_000;

/** Builds views beside the current ones, in steps that allow appends in between. */
export class ViewRebuild {
  private readonly tables: ViewTables;
  private readonly fill: ViewReplay;
  private readonly indexes: string[];
  private filled = false;

  constructor(
    private readonly db: Connection,
    private readonly registry: ViewRegistry,
    private readonly projections: readonly AnyProjection[],
    codec: EventCodec,
    private readonly eventsPerStep: number,
  ) {
    const choices = projections.map((projection) => ({
      projection,
      table: registry.nextTableOf(projection.view),
    }));
    this.tables = new ViewTables(db, choices, CACHED_DOCUMENTS);
    this.fill = new ViewReplay(db, this.tables, codec);
    this.indexes = this.tables.tables.flatMap((table) => table.indexStatements());
  }

  /** Runs one transaction; returns true when the views are built and switched. */
  step(): boolean {
    if (!this.filled) {
      this.filled = this.db.transaction(() => this.fill.step(this.eventsPerStep) < this.eventsPerStep)();
      return false;
    }
    const index = this.indexes.shift();
    if (index) {
      this.db.exec(index);
      return false;
    }
    this.db.transaction(() => {
      while (this.fill.step(this.eventsPerStep) > 0);
      for (const { view } of this.projections) this.registry.switch(view);
    })();
    return true;
  }
}
