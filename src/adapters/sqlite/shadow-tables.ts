import type { AnyProjection } from '../../kernel/projection.js';
import type { Shadow } from '../../event-sourcing/projections/rebuild.js';
import type { EventCodec } from '../../event-sourcing/write/event-codec.js';
import type { Connection } from './connection.js';
import { ViewReplay } from './view-replay.js';
import type { ViewRegistry } from './view-registry.js';
import { ViewTables } from './view-tables.js';

/** Parsed documents cached during a rebuild, for streams in progress. */
const CACHED_DOCUMENTS = 4_000;

/** Next tables of views, filled beside the current ones; each step is a transaction. */
export class ShadowTables implements Shadow<boolean> {
  private readonly tables: ViewTables;
  private readonly events: ViewReplay;

  constructor(
    private readonly db: Connection,
    private readonly registry: ViewRegistry,
    private readonly projections: readonly AnyProjection[],
    codec: EventCodec,
    eventsPerStep: number,
  ) {
    const choices = projections.map((projection) => ({
      projection,
      table: registry.nextTableOf(projection.view),
    }));
    this.tables = new ViewTables(db, choices, CACHED_DOCUMENTS);
    this.events = new ViewReplay(db, this.tables, codec, eventsPerStep);
  }

  replay(): boolean {
    return this.db.transaction(() => this.events.step())();
  }

  get indexes(): Iterable<() => boolean> {
    const statements = this.tables.tables.flatMap((table) => table.indexStatements());
    return statements.map((statement) => () => {
      this.db.exec(statement);
      return true;
    });
  }

  activate(): boolean {
    this.db.transaction(() => {
      while (!this.events.step());
      for (const { view } of this.projections) this.registry.switch(view);
    })();
    return true;
  }
}
