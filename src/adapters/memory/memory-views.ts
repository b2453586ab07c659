import type { AnyProjection, ViewDefinition } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { ProjectionRunner, type StoredDocument } from '../../event-sourcing/projections/projection-runner.js';

export type MemoryTable = Map<string, StoredDocument>;

/** The documents of all views, by id. */
export class MemoryViews {
  private readonly tables = new Map<string, MemoryTable>();
  private readonly runner: ProjectionRunner;

  constructor(readonly projections: readonly AnyProjection[]) {
    for (const { view } of projections) this.tables.set(view.name, new Map());
    this.runner = new ProjectionRunner(projections, (view, id) => this.table(view).get(id));
  }

  project(events: readonly RecordedEvent[]): void {
    for (const { view, id, after } of this.runner.fold(events)) {
      if (after) this.table(view).set(id, after);
      else this.table(view).delete(id);
    }
  }

  table({ name }: Pick<ViewDefinition, 'name'>): MemoryTable {
    const table = this.tables.get(name);
    if (!table) throw new Error(`no projection makes view ${name}`);
    return table;
  }

  replace({ name }: ViewDefinition, table: MemoryTable): void {
    this.tables.set(name, table);
  }
}
