import { DocumentForm, type ReadDocument } from '../../src/event-sourcing/embedded/document-form.js';
import { LiveViews } from '../../src/event-sourcing/embedded/view-tables.js';
import { SqliteViewStore } from '../../src/event-sourcing/embedded/sqlite-view-store.js';
import { UNINDEXED } from '../../src/event-sourcing/embedded/unindexed-rows.js';
import { ViewRegistry } from '../../src/event-sourcing/embedded/view-registry.js';
import type { AnyProjection, ViewDefinition } from '../../src/kernel/projection.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { ViewStore } from '../../src/event-sourcing/ports/view-store.port.js';
import { inMemory } from './stores.js';

/** Views over a database in memory, projected from the given events. */
export class TestViews {
  readonly store: ViewStore;
  private readonly db = inMemory();
  private live: LiveViews;
  private committed: (views: readonly string[]) => void = () => undefined;

  constructor(
    private readonly projections: readonly AnyProjection[],
    private readonly maxUnindexed?: number,
  ) {
    this.live = this.opened();
    this.store = new SqliteViewStore(this.db, {
      onCommit: (listener) => (this.committed = listener),
      submit: () => Promise.reject(new Error('events alone change these views')),
    });
  }

  project(events: readonly RecordedEvent[]): void {
    this.db.transaction(() => this.live.tables.apply(events))();
    this.committed(this.live.tables.takeChanged());
  }

  /** A commit with these events that fails. */
  projectInVain(events: readonly RecordedEvent[]): void {
    const failed = new Error('the disk is full');
    try {
      this.db.transaction(() => {
        this.live.tables.apply(events);
        throw failed;
      })();
    } catch (error) {
      if (error !== failed) throw error;
      this.live.tables.invalidate();
    }
  }

  restart(): void {
    this.live = this.opened();
  }

  private opened(): LiveViews {
    return new LiveViews(this.db, this.projections, this.maxUnindexed);
  }

  /** All documents, oldest first. */
  rows(view: ViewDefinition): readonly ReadDocument[] {
    return [...new DocumentForm(this.db).documents(this.tableOf(view))];
  }

  /** Ids of the unindexed rows, oldest first. */
  unindexedOf(view: ViewDefinition): readonly string[] {
    return [...new DocumentForm(this.db).documents(this.tableOf(view), { where: UNINDEXED })].map(
      ({ id }) => id,
    );
  }

  private tableOf(view: ViewDefinition): string {
    return new ViewRegistry(this.db).tableOf(view);
  }
}
