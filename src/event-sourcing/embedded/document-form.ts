import type { Database as Connection, Statement } from 'better-sqlite3';
import { isUuid, uuidBytes, uuidOfHex } from '../../kernel/ids.js';
import type { ViewDocument } from '../../kernel/projection.js';
import { creationPositionFrom } from '../projections/creation-order.js';
import type { CreationPosition } from '../../kernel/recorded-event.js';

export const SHAPES = `
  CREATE TABLE IF NOT EXISTS shapes (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE);`;

/** Increment for another form of documents or columns: every view is then rebuilt. */
export const DOCUMENT_FORMAT = 6;

/** Documents of further shapes are stored as plain JSON. */
const MAX_SHAPES = 2_000;

/** Selected with `raw()`. `ids`: hexadecimal bytes of the other columns; `created`: milliseconds, 0 in earlier releases. */
export type DocumentRow = readonly [
  birth: number,
  revision: number,
  doc: string,
  ids: string,
  created: number,
  ...others: unknown[],
];

/** The column of the row holds the field's UUID. */
export type Field = string | readonly [name: string, column: string];

/** Without an offset among the row's ids, the document has the value. */
interface ShapedField {
  readonly name: string;
  readonly at: number | undefined;
}

export interface ReadDocument {
  readonly id: string;
  readonly creationPosition: CreationPosition;
  readonly revision: number;
  readonly document: ViewDocument;
  readonly columns: readonly unknown[];
}

interface Selection {
  readonly where?: string;
  readonly columns?: readonly string[];
}

interface Id {
  readonly id: number;
}

interface Fields {
  readonly fields: string;
}

/** A new shape is stored in the transaction of the caller. */
export type DocumentEncoder = (document: ViewDocument, id: string) => string;

/**
 * Saves 805 bytes a job, also after packing: arrays of a shape's number and values, without UUIDs in columns.
 */
export class DocumentForm {
  /** By the text of their fields. */
  private readonly numbers = new Map<string, number>();
  private readonly readers = new Map<string, DocumentReader>();
  private readonly statements = new Map<string, Statement>();

  /** @param db also of an older release, which has plain JSON and no shapes */
  constructor(private readonly db: Connection) {}

  /** @param columns by field; only UUIDs are left to them */
  encoder(columns: ReadonlyMap<string, string>): DocumentEncoder {
    return (document, id) => {
      const shape: Field[] = [];
      const values: unknown[] = [0];
      for (const field of Object.keys(document)) {
        const value = (document as Readonly<Record<string, unknown>>)[field];
        if (value === undefined) continue;
        const column = value === id ? 'id' : columns.get(field);
        if (column !== undefined && isUuid(value)) shape.push([field, column]);
        else {
          shape.push(field);
          values.push(value);
        }
      }
      values[0] = this.numberOf(shape);
      return JSON.stringify(values[0] === undefined ? document : values);
    };
  }

  reader(table: string): DocumentReader {
    let reader = this.readers.get(table);
    if (reader) return reader;
    const columns = this.statement('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
    reader = new DocumentReader(columns, (number) => this.fieldsOf(number));
    if (columns.length > 0) this.readers.set(table, reader);
    return reader;
  }

  /** In the order of the log. @param selection `where`: SQL condition */
  *documents(table: string, { where = 'true', columns = [] }: Selection = {}): Generator<ReadDocument> {
    const reader = this.reader(table);
    const selected = [reader.columns, 'id', ...columns].join(', ');
    const text = `SELECT ${selected} FROM ${table} WHERE ${where} ORDER BY birth`;
    const rows = this.db.prepare(text).raw().iterate();
    for (const row of rows as Iterable<DocumentRow>) {
      const [birth, revision, , , created, id, ...others] = row;
      yield {
        id: idFrom(id),
        creationPosition: creationPositionFrom({ created, row: birth }),
        revision,
        document: reader.decode(row),
        columns: others,
      };
    }
  }

  invalidate(): void {
    this.numbers.clear();
    this.readers.clear();
  }

  private numberOf(shape: readonly Field[]): number | undefined {
    const list = JSON.stringify(shape);
    const known = this.numbers.get(list);
    if (known !== undefined || this.numbers.size >= MAX_SHAPES) return known;
    const found = this.statement('SELECT id FROM shapes WHERE fields = ?').get(list) as Id | undefined;
    const added = () => this.statement('INSERT INTO shapes (fields) VALUES (?)').run(list).lastInsertRowid;
    const number = found?.id ?? Number(added());
    this.numbers.set(list, number);
    return number;
  }

  private fieldsOf(number: number): readonly Field[] {
    const found = this.statement('SELECT fields FROM shapes WHERE id = ?').get(number) as Fields | undefined;
    if (!found) throw new RangeError(`there is no shape ${number}`);
    return JSON.parse(found.fields) as readonly Field[];
  }

  private statement(text: string): Statement {
    let statement = this.statements.get(text);
    if (!statement) this.statements.set(text, (statement = this.db.prepare(text)));
    return statement;
  }
}

/** Columns of every table, which are not fields of documents. `young` marks unindexed rows. */
const OWN_COLUMNS = ['birth', 'revision', 'doc'];
const HIDDEN_COLUMNS = ['young', 'created'];
const BETWEEN_IDS = ',';

export class DocumentReader {
  /** One text for all ids: an object for each blob takes ten times as long. */
  readonly columns: string;
  private readonly idColumns: readonly string[];
  private readonly shapes = new Map<number, readonly ShapedField[]>();

  constructor(
    columns: readonly string[],
    private readonly fieldsOf: (shape: number) => readonly Field[],
  ) {
    this.idColumns = columns.filter((column) => ![...OWN_COLUMNS, ...HIDDEN_COLUMNS].includes(column));
    const ids = this.idColumns.map((column) => `hex("${column}")`);
    const created = columns.includes('created') ? 'created' : '0';
    this.columns = [...OWN_COLUMNS, `concat_ws('${BETWEEN_IDS}', ${ids.join(', ')})`, created].join(', ');
  }

  /** @throws SyntaxError, RangeError, TypeError for a row that no encoder made */
  decode([, , doc, ids]: DocumentRow): ViewDocument {
    const stored = JSON.parse(doc) as ViewDocument | [number, ...unknown[]];
    if (!Array.isArray(stored)) return stored;
    const columns = ids.split(BETWEEN_IDS);
    const document: Record<string, unknown> = {};
    let next = 1;
    for (const { name, at } of this.fields(stored[0]))
      document[name] = at === undefined ? stored[next++] : uuidOfHex(columns[at]);
    return document;
  }

  private fields(number: number): readonly ShapedField[] {
    let fields = this.shapes.get(number);
    if (!fields) {
      fields = this.fieldsOf(number).map((field) => this.shapedField(field));
      this.shapes.set(number, fields);
    }
    return fields;
  }

  private shapedField(field: Field): ShapedField {
    if (typeof field === 'string') return { name: field, at: undefined };
    const [name, column] = field;
    const at = this.idColumns.indexOf(column);
    if (at < 0) throw new RangeError(`there is no column ${column}`);
    return { name, at };
  }
}

/** Saves space: a UUID in a column of a view takes 16 bytes instead of 36. Lossless. */
export type CompactId = string | Uint8Array;

/** Any text other than a lower-case UUID stays as it is. */
export function compactId(id: string): CompactId {
  return isUuid(id) ? uuidBytes(id) : id;
}

/** @throws TypeError for a column that `compactId` never wrote */
export function idFrom(column: unknown): string {
  if (typeof column === 'string') return column;
  if (!(column instanceof Uint8Array)) throw new TypeError('no id');
  return uuidOfHex(Buffer.from(column).toString('hex'));
}
