import { DocumentCodec, type ReadDocument } from '../../src/event-sourcing/embedded/document-codec.js';
import { LiveViews } from '../../src/event-sourcing/embedded/live-views.js';
import { SqliteViewStore } from '../../src/event-sourcing/embedded/sqlite-view-store.js';
import { YOUNG } from '../../src/event-sourcing/embedded/view-table.js';
import { ViewRegistry } from '../../src/event-sourcing/embedded/view-registry.js';
import { EventCodec } from '../../src/event-sourcing/write/event-codec.js';
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
    private readonly mostYoung?: number,
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
      this.live.tables.forget();
    }
  }

  restart(): void {
    this.live = this.opened();
  }

  private opened(): LiveViews {
    return new LiveViews(this.db, this.projections, new EventCodec(), this.mostYoung);
  }

  /** All documents, oldest first. */
  rows(view: ViewDefinition): readonly ReadDocument[] {
    return [...new DocumentCodec(this.db).documents(this.tableOf(view))];
  }

  /** Ids of the young documents, oldest first. */
  youngOf(view: ViewDefinition): readonly string[] {
    return [...new DocumentCodec(this.db).documents(this.tableOf(view), { where: YOUNG })].map(
      ({ id }) => id,
    );
  }

  private tableOf(view: ViewDefinition): string {
    return new ViewRegistry(this.db).tableOf(view);
  }
}
