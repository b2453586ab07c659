import type { ViewDefinition } from '../../kernel/projection.js';
import type { Connection } from './connection.js';
import { DOCUMENT_FORMAT } from './document-form.js';
import { tableName } from './view-table.js';

interface RegisteredView {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  /** Includes the format of documents, so that any change causes a rebuild. */
  readonly definition: string;
}

export class ViewRegistry {
  constructor(private readonly db: Connection) {}

  all(): readonly RegisteredView[] {
    return this.db
      .prepare('SELECT name, version, generation, definition FROM views')
      .all() as RegisteredView[];
  }

  find(name: string): RegisteredView | undefined {
    return this.all().find((view) => view.name === name);
  }

  tableOf(view: Pick<ViewDefinition, 'name'>): string {
    return tableName(view, this.find(view.name)?.generation ?? 0);
  }

  isCurrent(view: ViewDefinition): boolean {
    return this.find(view.name)?.definition === storedDefinition(view);
  }

  nextTableOf(view: ViewDefinition): string {
    return tableName(view, this.nextGeneration(view));
  }

  /** Drops the old table. Call inside a transaction. */
  switch(view: ViewDefinition): void {
    const generation = this.nextGeneration(view);
    this.db
      .prepare('INSERT OR REPLACE INTO views (name, version, generation, definition) VALUES (?, ?, ?, ?)')
      .run(view.name, view.version, generation, storedDefinition(view));
    if (generation > 1) this.drop(tableName(view, generation - 1));
  }

  /** Removes views without a projection and tables of interrupted builds. */
  sweep(wanted: readonly ViewDefinition[]): void {
    const names = new Set(wanted.map(({ name }) => name));
    for (const { name } of this.all()) {
      if (!names.has(name)) this.db.prepare('DELETE FROM views WHERE name = ?').run(name);
    }
    const current = new Set(this.all().map((view) => tableName(view, view.generation)));
    const tables = this.db
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'view_*'`)
      .pluck()
      .all() as string[];
    for (const table of tables) if (!current.has(table)) this.drop(table);
  }

  private nextGeneration({ name }: ViewDefinition): number {
    return (this.find(name)?.generation ?? 0) + 1;
  }

  /** With its totals. Call inside a transaction. */
  drop(table: string): void {
    this.db.exec(`DROP TABLE IF EXISTS ${table}`);
    this.db.prepare('DELETE FROM counts WHERE view_table = ?').run(table);
  }
}

function storedDefinition(view: ViewDefinition): string {
  return JSON.stringify({ ...view, format: DOCUMENT_FORMAT });
}
