import { LRUCache } from 'lru-cache';
import { growingTo } from '../../kernel/cache-size.js';
import type { Statement } from 'better-sqlite3';
import type { ViewDefinition, ViewDocument, ViewIndex } from '../../kernel/projection.js';
import { creationPositionFrom, rowIn } from '../projections/creation-order.js';
import type { DocumentWrite, StoredDocument } from '../projections/projection-runner.js';
import { askedFields, scalarOf } from '../projections/view-index.js';
import type { Connection } from './connection.js';
import {
  type DocumentForm,
  type DocumentEncoder,
  type DocumentReader,
  type DocumentRow,
  compactId,
} from './document-form.js';
import { INDEXED, unindexedIndexSql, UnindexedRows } from './unindexed-rows.js';

export type Column = string | number | Uint8Array | null;

type WrittenDocument = Omit<DocumentWrite, 'view' | 'seen'>;
const NO_CHANGE = { before: undefined, after: undefined };

const ABSENT: StoredDocument = { document: {}, revision: -1, creationPosition: '' };

export interface ViewTableOptions {
  readonly cachedDocuments: number;
  readonly maxUnindexed?: number;
}

/** One generation of a view: a row per document, numbered by creation position. */
export class ViewTable {
  private readonly fields: readonly string[];
  private readonly encode: DocumentEncoder;
  private readonly reader: DocumentReader;
  private readonly cache: LRUCache<string, StoredDocument>;
  private readonly updates = new Map<number, Statement>();
  private readonly insertRow: Statement;
  private readonly deleteRow: Statement;
  private readonly selectRow: Statement;
  private readonly unindexed: UnindexedRows;

  constructor(
    private readonly db: Connection,
    codec: DocumentForm,
    readonly view: ViewDefinition,
    readonly name: string,
    { cachedDocuments, maxUnindexed = 0 }: ViewTableOptions,
  ) {
    this.fields = askedFields(view);
    this.encode = codec.encoder(new Map(this.fields.map((field) => [field, `f_${field}`])));
    this.cache = new LRUCache(growingTo(cachedDocuments));
    const columns = this.fields.map(columnOf);
    db.exec(`CREATE TABLE IF NOT EXISTS ${name} (
      birth INTEGER PRIMARY KEY, id NOT NULL UNIQUE, revision INTEGER NOT NULL, young INTEGER,
      created INTEGER NOT NULL      ${columns.map((column) => `, ${column}`).join('')}, doc TEXT NOT NULL)`);
    const names = ['birth', 'id', 'revision', 'young', 'created', ...columns, 'doc'];
    this.insertRow = db.prepare(
      `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    );
    this.deleteRow = db.prepare(`DELETE FROM ${name} WHERE birth = ?`);
    this.reader = codec.reader(name);
    this.selectRow = db.prepare(`SELECT ${this.reader.columns} FROM ${name} WHERE id = ?`).raw();
    this.unindexed = new UnindexedRows(db, name, maxUnindexed);
  }

  /** Run these after filling the table. */
  indexStatements(): readonly string[] {
    const { name, view } = this;
    return [
      unindexedIndexSql(name),
      `CREATE INDEX IF NOT EXISTS ${timeIndexName(name)} ON ${name} (created) WHERE ${INDEXED}`,
      ...view.indexes.map(
        (index, n) =>
          `CREATE INDEX IF NOT EXISTS ${indexName(name, n)}
           ON ${name} (${index.fields.map(columnOf).join(', ')}${index.inLogOrder ? '' : ', created'})
           WHERE ${indexedSql(index)}`,
      ),
    ];
  }

  load(id: string): StoredDocument | undefined {
    const cached = this.cache.get(id);
    if (cached) return cached === ABSENT ? undefined : cached;
    const row = this.selectRow.get(compactId(id)) as DocumentRow | undefined;
    const stored = row && {
      document: this.reader.decode(row),
      revision: row[1],
      creationPosition: creationPositionFrom({ created: row[4], row: row[0] }),
    };
    this.cache.set(id, stored ?? ABSENT);
    return stored;
  }

  /** Returns the indexed change, which counts in the totals. */
  write({ id, before, after }: WrittenDocument): Pick<WrittenDocument, 'before' | 'after'> {
    this.cache.set(id, after ?? ABSENT);
    const row = before && rowIn(before.creationPosition).row;
    const wasUnindexed = row !== undefined && this.unindexed.has(row);
    if (before && before.creationPosition === after?.creationPosition) {
      this.update(id, before, after);
      return wasUnindexed ? NO_CHANGE : { before, after };
    }
    if (row !== undefined) this.deleteRow.run(row);
    if (wasUnindexed) this.unindexed.delete(row);
    if (after) this.insert(id, after);
    return { before: wasUnindexed ? undefined : before, after: this.unindexed.isOff ? after : undefined };
  }

  /** Above the limit: indexes the older half, or `all`; returns their documents. */
  index(all = false): readonly StoredDocument[] {
    return this.unindexed.index(all).map((id) => this.load(id)!);
  }

  invalidate(): void {
    this.cache.clear();
    this.unindexed.invalidate();
  }

  private insert(id: string, { creationPosition, revision, document }: StoredDocument): void {
    const { isOff } = this.unindexed;
    const { created, row } = rowIn(creationPosition);
    if (!isOff) this.unindexed.add(row, id);
    const values: Column[] = [row, compactId(id), revision, isOff ? null : 1, created];
    for (const field of this.fields) values.push(columnValue(document, field));
    values.push(this.encode(document, id));
    this.insertRow.run(values);
  }

  /** Sets only changed columns, so that SQLite leaves all other indexes alone. */
  private update(id: string, before: StoredDocument, after: StoredDocument): void {
    const values: Column[] = [after.revision, this.encode(after.document, id)];
    let changed = 0;
    for (let n = 0; n < this.fields.length; n++) {
      const value = scalarOf(after.document, this.fields[n]!);
      if (value === scalarOf(before.document, this.fields[n]!)) continue;
      changed |= 1 << n;
      values.push(sqlValue(value));
    }
    values.push(rowIn(after.creationPosition).row);
    this.updateOf(changed).run(values);
  }

  private updateOf(changed: number): Statement {
    let statement = this.updates.get(changed);
    if (!statement) {
      const columns = this.fields.filter((_, n) => changed & (1 << n)).map(columnOf);
      const assignments = ['revision', 'doc', ...columns].map((column) => `${column} = ?`);
      statement = this.db.prepare(`UPDATE ${this.name} SET ${assignments.join(', ')} WHERE birth = ?`);
      this.updates.set(changed, statement);
    }
    return statement;
  }
}

export function tableName(view: Pick<ViewDefinition, 'name'>, generation: number): string {
  return `view_${view.name.replaceAll('-', '_')}_${generation}`;
}

export function indexName(table: string, ordinal: number): string {
  return `${table}_by_${ordinal}`;
}

export function columnOf(field: string): string {
  return `"f_${field}"`;
}

/** Of all rows but the unindexed ones. */
export function timeIndexName(table: string): string {
  return `${table}_by_time`;
}

/** Queries must repeat this filter literally to use the index. */
export function indexedSql({ onlyWhen }: ViewIndex): string {
  if (!onlyWhen) return INDEXED;
  const values = onlyWhen.in.map((value) => `'${value.replaceAll("'", "''")}'`);
  return `${columnOf(onlyWhen.field)} IN (${values.join(', ')})`;
}

/** SQLite has no booleans; UUIDs are bytes. */
export function sqlValue(value: string | boolean | null): Column {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' ? compactId(value) : value;
}

export function columnValue(document: ViewDocument, field: string): Column {
  return sqlValue(scalarOf(document, field));
}
