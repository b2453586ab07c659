import { DocumentCodec, type DocumentRow } from '../../src/adapters/sqlite/document-codec.js';
import { idFrom } from '../../src/adapters/sqlite/log/compact-text.js';
import { LiveViews } from '../../src/adapters/sqlite/live-views.js';
import { SqliteViewStore } from '../../src/adapters/sqlite/sqlite-view-store.js';
import { ViewRegistry } from '../../src/adapters/sqlite/view-registry.js';
import { creationPositionFromNumber } from '../../src/event-sourcing/projections/projection-runner.js';
import { EventCodec } from '../../src/event-sourcing/write/event-codec.js';
import type { AnyProjection, ViewDefinition, ViewDocument } from '../../src/kernel/projection.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { ViewStore } from '../../src/ports/view-store.port.js';
import { inMemory } from './stores.js';

export interface TestRow {
  readonly id: string;
  readonly birth: string;
  readonly revision: number;
  readonly document: ViewDocument;
}

/** Views over a database in memory, projected from the given events. */
export class TestViews {
  readonly store: ViewStore;
  private readonly db = inMemory();
  private readonly live: LiveViews;
  private committed: () => void = () => undefined;

  constructor(projections: readonly AnyProjection[]) {
    this.live = new LiveViews(this.db, projections, new EventCodec());
    this.store = new SqliteViewStore(this.db, {
      onCommit: (listener) => (this.committed = listener),
      submit: () => Promise.reject(new Error('events alone change these views')),
    });
  }

  project(events: readonly RecordedEvent[]): void {
    this.db.transaction(() => this.live.tables.apply(events))();
    this.committed();
  }

  /** All documents, oldest first. */
  rows(view: ViewDefinition): readonly TestRow[] {
    const table = new ViewRegistry(this.db).tableOf(view);
    const rows = this.db.prepare(`SELECT * FROM ${table} ORDER BY birth`).all();
    const codec = new DocumentCodec(this.db);
    return (rows as (DocumentRow & { birth: number; revision: number })[]).map((row) => ({
      id: idFrom(row.id),
      revision: row.revision,
      birth: creationPositionFromNumber(row.birth),
      document: codec.decode(row),
    }));
  }
}
