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

/** A row of a view table, as `SELECT *` gives it. */
export interface DocumentRow {
  readonly doc: string;
  readonly [column: string]: unknown;
}

/** A field: its name, and the column of the row that already has its value. */
type Field = string | readonly [name: string, column: string];

/** A list of fields, found along a tree of fields instead of by a text of all their names. */
interface Shape {
  readonly fields: readonly Field[];
  number: number | undefined;
  readonly next: Map<string, Next>;
  /** The field that followed last: most documents have the same fields as the one before. */
  last: Next | undefined;
}

/** A field that follows a shape, and the shapes with it: by where its value is. */
interface Next {
  readonly field: string;
  /** Column of the table for the field, if it has one. */
  readonly column: string | undefined;
  asId?: Shape;
  inColumn?: Shape;
  inDocument?: Shape;
}

interface Id {
  readonly id: number;
}

interface Fields {
  readonly fields: string;
}

/** A document as its row has it; a new shape is stored in the transaction of the caller. */
export type DocumentEncoder = (document: ViewDocument, id: string) => string;

/**
 * Documents as JSON arrays: the number of a shape, then the values of its fields in order, without those that columns
 * of the row have. A third of the size of the objects. A reader needs no shapes to begin with: it looks up each number
 * once.
 */
export class DocumentCodec {
  /** Encoders begin anew after each. */
  private rollbacks = 0;
  private numbered = 0;
  private readonly shapes = new Map<number, readonly Field[]>();
  private readonly statements = new Map<string, Statement>();

  /** @param db also of an older release, which has plain JSON and no shapes */
  constructor(private readonly db: Connection) {}

  /** @param columns columns of the table by the field whose value they have; texts alone are left to them */
  encoder(columns: ReadonlyMap<string, string>): DocumentEncoder {
    let root = emptyShape([]);
    let since = this.rollbacks;
    return (document, id) => {
      if (since !== this.rollbacks) {
        root = emptyShape([]);
        since = this.rollbacks;
      }
      const fields = document as Readonly<Record<string, unknown>>;
      const values: unknown[] = [0];
      let shape = root;
      for (const field of Object.keys(document)) {
        const value = fields[field];
        if (value === undefined) continue;
        const next = shape.last?.field === field ? shape.last : follow(shape, field, columns);
        if (value === id) shape = next.asId ??= emptyShape([...shape.fields, [field, 'id']]);
        else if (next.column !== undefined && typeof value === 'string' && value.isWellFormed())
          shape = next.inColumn ??= emptyShape([...shape.fields, [field, next.column]]);
        else {
          shape = next.inDocument ??= emptyShape([...shape.fields, field]);
          values.push(value);
        }
      }
      shape.number ??= this.numberOf(shape.fields);
      if (shape.number === undefined) return JSON.stringify(document);
      values[0] = shape.number;
      return JSON.stringify(values);
    };
  }

  /** @throws SyntaxError, RangeError, TypeError for a row that no encoder made */
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
    this.rollbacks++;
    this.numbered = 0;
    this.shapes.clear();
  }

  private numberOf(fields: readonly Field[]): number | undefined {
    if (this.numbered >= MOST_SHAPES) return undefined;
    this.numbered++;
    const list = JSON.stringify(fields);
    const found = this.statement('SELECT id FROM shapes WHERE fields = ?').get(list) as Id | undefined;
    return (
      found?.id ?? Number(this.statement('INSERT INTO shapes (fields) VALUES (?)').run(list).lastInsertRowid)
    );
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

function emptyShape(fields: readonly Field[]): Shape {
  return { fields, number: undefined, next: new Map(), last: undefined };
}

function follow(shape: Shape, field: string, columns: ReadonlyMap<string, string>): Next {
  let next = shape.next.get(field);
  if (!next) shape.next.set(field, (next = { field, column: columns.get(field) }));
  shape.last = next;
  return next;
}
