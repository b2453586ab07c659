import type { Database as Connection, Statement } from 'better-sqlite3';
import type { ViewDocument } from '../../kernel/projection.js';

/** Field names of documents as JSON, by number. Documents of one view have few different lists of fields. */
export const SHAPES = `
  CREATE TABLE IF NOT EXISTS shapes (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE);`;

/** Changes when documents or columns are stored in another form: every view is then built anew. */
export const DOCUMENT_FORMAT = 2;

/** Documents of further shapes are stored as plain JSON. */
const MOST_SHAPES = 2_000;

interface Id {
  readonly id: number;
}

interface Fields {
  readonly fields: string;
}

/**
 * Documents as JSON arrays: the number of a shape, then the values of its fields in order. Half the size of the objects,
 * whose field names are mostly longer than their values. A reader needs no shapes to begin with: it looks up each number
 * once.
 */
export class DocumentCodec {
  private readonly numbers = new Map<string, number>();
  private readonly shapes = new Map<number, readonly string[]>();
  private readonly statements = new Map<string, Statement>();

  /** @param db also of an older release, which has plain JSON and no shapes */
  constructor(private readonly db: Connection) {}

  /** Stores a new shape in the transaction of the caller. */
  encode(document: ViewDocument): string {
    const fields: string[] = [];
    const values: unknown[] = [0];
    for (const [field, value] of Object.entries(document)) {
      if (value === undefined) continue;
      fields.push(field);
      values.push(value);
    }
    const number = this.numberOf(fields);
    if (number === undefined) return JSON.stringify(document);
    values[0] = number;
    return JSON.stringify(values);
  }

  /** @throws SyntaxError, RangeError for a text that `encode` never wrote */
  decode(text: string): ViewDocument {
    const stored = JSON.parse(text) as ViewDocument | [number, ...unknown[]];
    if (!Array.isArray(stored)) return stored;
    const fields = this.fieldsOf(stored[0]);
    const document: Record<string, unknown> = {};
    for (let n = 0; n < fields.length; n++) document[fields[n]!] = stored[n + 1];
    return document;
  }

  /** Clears what a rollback may have taken back. */
  forget(): void {
    this.numbers.clear();
    this.shapes.clear();
  }

  private numberOf(fields: readonly string[]): number | undefined {
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

  private fieldsOf(number: number): readonly string[] {
    const known = this.shapes.get(number);
    if (known) return known;
    const found = this.statement('SELECT fields FROM shapes WHERE id = ?').get(number) as Fields | undefined;
    if (!found) throw new RangeError(`there is no shape ${number}`);
    const fields = JSON.parse(found.fields) as readonly string[];
    this.shapes.set(number, fields);
    return fields;
  }

  private statement(text: string): Statement {
    let statement = this.statements.get(text);
    if (!statement) this.statements.set(text, (statement = this.db.prepare(text)));
    return statement;
  }
}
