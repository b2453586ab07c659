import type { ViewDocument } from '../../kernel/projection.js';
import { uuidOfHex } from './compact-ids.js';

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
