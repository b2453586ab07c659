import type { Database as Connection, Statement } from 'better-sqlite3';
import type { ViewDocument } from '../../kernel/projection.js';
import { idFrom } from './log/compact-text.js';

/** Fields of documents as JSON, by number. Documents of one view have few different lists of fields. */
export const SHAPES = `
  CREATE TABLE IF NOT EXISTS shapes (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE);`;

/** Changes when documents or columns are stored in another form: every view is then built anew. */
export const DOCUMENT_FORMAT = 3;

/** Documents of further shapes are stored as plain JSON. */
const MOST_SHAPES = 2_000;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** A row of a view table, as `SELECT *` gives it. */
export interface DocumentRow {
  readonly doc: string;
  readonly [column: string]: unknown;
}

/** A field: its name, and the column of the row that already has its value. */
type Field = string | readonly [name: string, column: string];

interface Id {
  readonly id: number;
}

interface Fields {
  readonly fields: string;
}

/**
 * Documents as JSON arrays: the number of a shape, then the values of its fields in order, without those that columns
 * of the row have. A third of the size of the objects. A reader needs no shapes to begin with: it looks up each number
 * once.
 */
export class DocumentCodec {
  private readonly numbers = new Map<string, number>();
  private readonly shapes = new Map<number, readonly Field[]>();
  private readonly statements = new Map<string, Statement>();

  /** @param db also of an older release, which has plain JSON and no shapes */
  constructor(private readonly db: Connection) {}

  /**
   * Stores a new shape in the transaction of the caller.
   *
   * @param columns columns of the row by the field whose value they have; strings alone are left to them
   */
  encode(document: ViewDocument, id: string, columns: ReadonlyMap<string, string>): string {
    const fields: Field[] = [];
    const values: unknown[] = [0];
    for (const [field, value] of Object.entries(document)) {
      if (value === undefined) continue;
      const column = typeof value === 'string' ? columnOf(field, value) : undefined;
      if (column !== undefined) fields.push([field, column]);
      else {
        fields.push(field);
        values.push(value);
      }
    }
    const number = this.numberOf(fields);
    if (number === undefined) return JSON.stringify(document);
    values[0] = number;
    return JSON.stringify(values);

    function columnOf(field: string, value: string): string | undefined {
      const column = value === id ? 'id' : columns.get(field);
      return column !== undefined && isExactInColumn(value) ? column : undefined;
    }
  }

  /** @throws SyntaxError, RangeError, TypeError for a row that `encode` never made */
  decode(row: DocumentRow): ViewDocument {
    const stored = JSON.parse(row.doc) as ViewDocument | [number, ...unknown[]];
    if (!Array.isArray(stored)) return stored;
    const document: Record<string, unknown> = {};
    let next = 1;
    for (const field of this.fieldsOf(stored[0])) {
      if (typeof field === 'string') document[field] = stored[next++];
      else document[field[0]] = idFrom(row[field[1]]);
    }
    return document;
  }

  /** Clears what a rollback may have taken back. */
  forget(): void {
    this.numbers.clear();
    this.shapes.clear();
  }

  private numberOf(fields: readonly Field[]): number | undefined {
    const list = JSON.stringify(fields);
    const known = this.numbers.get(list);
    if (known !== undefined) return known;
    if (this.numbers.size >= MOST_SHAPES) return undefined;
    const found = this.statement('SELECT id FROM shapes WHERE fields = ?').get(list) as Id | undefined;
    const stored =
      found?.id ?? Number(this.statement('INSERT INTO shapes (fields) VALUES (?)').run(list).lastInsertRowid);
    this.numbers.set(list, stored);
    return stored;
  }

  private fieldsOf(number: number): readonly Field[] {
    const known = this.shapes.get(number);
    if (known) return known;
    const found = this.statement('SELECT fields FROM shapes WHERE id = ?').get(number) as Fields | undefined;
    if (!found) throw new RangeError(`there is no shape ${number}`);
    const fields = JSON.parse(found.fields) as readonly Field[];
    this.shapes.set(number, fields);
    return fields;
  }

  private statement(text: string): Statement {
    let statement = this.statements.get(text);
    if (!statement) this.statements.set(text, (statement = this.db.prepare(text)));
    return statement;
  }
}

/** A column of SQLite is UTF-8, which has no lone surrogates; JSON escapes them. */
function isExactInColumn(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
