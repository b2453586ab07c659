import type { Statement } from 'better-sqlite3';
import type { ViewDefinition, ViewDocument, ViewIndex } from '../../kernel/projection.js';
import {
  creationPositionFromNumber,
  type DocumentWrite,
  type StoredDocument,
} from '../projections/projection-runner.js';
import { askedFields, scalarOf } from '../projections/view-index.js';
import type { Connection } from './connection.js';
import type { DocumentCodec, DocumentEncoder } from './document-codec.js';
import type { DocumentReader, DocumentRow } from './document-reader.js';
import { compactId, idFrom } from './compact-ids.js';
import { Recent } from '../../kernel/recent.js';

export type Column = string | number | Uint8Array | null;

type WrittenDocument = Omit<DocumentWrite, 'view' | 'seen'>;
const UNSETTLED = { before: undefined, after: undefined };

/** Cached absence of a document, which saves a lookup. */
const ABSENT: StoredDocument = { document: {}, revision: -1, birth: '' };

export interface ViewTableOptions {
  readonly cachedDocuments: number;
  /** Young documents at most, of which `settle` leaves the newer half; default: 0. */
  readonly mostYoung?: number;
}

/**
 * Table of one generation of a view: a row per document, numbered by creation position. The newest documents change
 * often, and each is written to another page of every index. So they are *young*: in no index but those of work lists
 * (`onlyWhen`), which are small, and in no total. Queries look through the young ones. `settle` adds many at once.
 */
export class ViewTable {
  private readonly fields: readonly string[];
  private readonly encode: DocumentEncoder;
  private readonly reader: DocumentReader;
  private readonly cache: Recent<string, StoredDocument>;
  private readonly updates = new Map<number, Statement>();
  private readonly insertRow: Statement;
  private readonly deleteRow: Statement;
  private readonly selectRow: Statement;
  private readonly selectYoung: Statement;
  private readonly settleRows: Statement;
  private readonly mostYoung: number;
  /** Ids of the young documents by creation position, oldest first; undefined until they are asked for. */
  private youngIds: Map<string, string> | undefined;

  /** Creates the table if it is missing, without its indexes. */
  constructor(
    private readonly db: Connection,
    codec: DocumentCodec,
    readonly view: ViewDefinition,
    readonly name: string,
    { cachedDocuments, mostYoung = 0 }: ViewTableOptions,
  ) {
    this.mostYoung = mostYoung;
    this.fields = askedFields(view);
    this.encode = codec.encoder(new Map(this.fields.map((field) => [field, `f_${field}`])));
    this.cache = new Recent(cachedDocuments);
    const columns = this.fields.map(columnOf);
    db.exec(`CREATE TABLE IF NOT EXISTS ${name} (
      birth INTEGER PRIMARY KEY, id NOT NULL UNIQUE, revision INTEGER NOT NULL, young INTEGER
      ${columns.map((column) => `, ${column}`).join('')}, doc TEXT NOT NULL)`);
    const names = ['birth', 'id', 'revision', 'young', ...columns, 'doc'];
    this.insertRow = db.prepare(
      `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    );
    this.deleteRow = db.prepare(`DELETE FROM ${name} WHERE birth = ?`);
    this.reader = codec.reader(name);
    this.selectRow = db.prepare(`SELECT ${this.reader.columns} FROM ${name} WHERE id = ?`).raw();
    this.selectYoung = db.prepare(`SELECT birth, id FROM ${name} WHERE ${YOUNG} ORDER BY birth`).raw();
    this.settleRows = db.prepare(`UPDATE ${name} SET young = NULL WHERE ${YOUNG} AND birth <= ?`);
  }

  /** SQL statements of the indexes, to run after filling the table. */
  indexStatements(): readonly string[] {
    const { name, view } = this;
    return [
      `CREATE INDEX IF NOT EXISTS ${youngIndexName(name)} ON ${name} (young) WHERE ${YOUNG}`,
      ...view.indexes.map(
        (index, n) =>
          `CREATE INDEX IF NOT EXISTS ${indexName(name, n)}
           ON ${name} (${index.fields.map(columnOf).join(', ')}) WHERE ${indexedSql(index)}`,
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
      birth: creationPositionFromNumber(row[0]),
    };
    this.cache.set(id, stored ?? ABSENT);
    return stored;
  }

  /** Returns the change of what is settled, which counts in the totals. */
  write({ id, before, after }: WrittenDocument): Pick<WrittenDocument, 'before' | 'after'> {
    this.cache.set(id, after ?? ABSENT);
    const wasYoung = before !== undefined && this.young.has(before.birth);
    if (before && before.birth === after?.birth) {
      this.update(id, before, after);
      return wasYoung ? UNSETTLED : { before, after };
    }
    if (before) this.deleteRow.run(Number(before.birth));
    if (wasYoung) this.young.delete(before.birth);
    if (after) this.insert(id, after);
    return { before: wasYoung ? undefined : before, after: this.mostYoung > 0 ? undefined : after };
  }

  /** Once there are too many young documents: settles the older half, or `all` of them; returns these. */
  settle(all = false): readonly StoredDocument[] {
    const { young, mostYoung } = this;
    if (young.size <= (all ? 0 : mostYoung)) return [];
    const inOrder = [...young].sort(([a], [b]) => (a < b ? -1 : 1));
    const oldest = inOrder.slice(0, all ? young.size : young.size - mostYoung / 2);
    this.settleRows.run(Number(oldest.at(-1)![0]));
    for (const [birth] of oldest) young.delete(birth);
    return oldest.map(([, id]) => this.load(id)!);
  }

  /** Clears caches after a rollback. */
  forget(): void {
    this.cache.clear();
    this.youngIds = undefined;
  }

  private get young(): Map<string, string> {
    return (this.youngIds ??= new Map(
      (this.selectYoung.all() as [number, unknown][]).map(([birth, id]) => [
        creationPositionFromNumber(birth),
        idFrom(id),
      ]),
    ));
  }

  private insert(id: string, { birth, revision, document }: StoredDocument): void {
    if (this.mostYoung > 0) this.young.set(birth, id);
    const values: Column[] = [Number(birth), compactId(id), revision, this.mostYoung > 0 ? 1 : null];
    for (const field of this.fields) values.push(columnValue(document, field));
    values.push(this.encode(document, id));
    this.insertRow.run(values);
  }

  /** Sets only the columns that changed, so that SQLite leaves all other indexes alone. */
  private update(id: string, before: StoredDocument, after: StoredDocument): void {
    const values: Column[] = [after.revision, this.encode(after.document, id)];
    let changed = 0;
    for (let n = 0; n < this.fields.length; n++) {
      const value = scalarOf(after.document, this.fields[n]!);
      if (value === scalarOf(before.document, this.fields[n]!)) continue;
      changed |= 1 << n;
      values.push(sqlValue(value));
    }
    values.push(Number(after.birth));
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

export function youngIndexName(table: string): string {
  return `${table}_young`;
}

/** Filter of the young documents, as queries must repeat it literally to use their index. */
export const YOUNG = 'young = 1';

/** Filter of the documents that an index holds, as queries must repeat it literally to use the index. */
export function indexedSql({ onlyWhen }: ViewIndex): string {
  if (!onlyWhen) return 'young IS NULL';
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
