import { LRUCache } from 'lru-cache';
import type { Statement } from 'better-sqlite3';
import type { ViewDefinition } from '../../kernel/projection.js';
import {
  ViewStore,
  type Found,
  type PrefixQuery,
  type RangeQuery,
  type Total,
  type TotalsQuery,
  type ViewQuery,
  type VolatileChange,
  type Where,
} from '../ports/view-store.port.js';
import { creationPositionFrom } from '../projections/creation-order.js';
import { asksForNothing, countedFields, totalRange, totalsBy } from '../projections/view-index.js';
import type { Connection } from './connection.js';
import { DocumentForm, type DocumentReader, type DocumentRow, compactId } from './document-form.js';
import { keptTotals } from './view-counts.js';
import { sqliteCode } from './sqlite-errors.js';
import { ViewRegistry } from './view-registry.js';
import {
  countSql,
  exceedsSql,
  hasUnindexedSql,
  keptTotalSql,
  pageSql,
  prefixSql,
  rangeSql,
  type Source,
  type Sql,
} from './view-sql.js';
import type { WriterClient } from './writer-client.js';
import { messageOf } from '../../kernel/errors.js';

/** Queries have few forms; more statements would be a leak. */
const MAX_STATEMENTS = 500;
/** Of each table. */
const RECENT_DOCUMENTS = 2_000;

interface OpenTable {
  readonly name: string;
  readonly reader: DocumentReader;
  readonly byId: Statement;
  readonly hasUnindexed: Statement;
  /** Valid until a commit changes the view: most requests read the same account. */
  readonly documents: LRUCache<string, object>;
}

/** Looks a table up again when a rebuild has replaced it. */
export class SqliteViewStore extends ViewStore {
  private readonly registry: ViewRegistry;
  private readonly codec: DocumentForm;
  private readonly tables = new Map<string, OpenTable>();
  private readonly statements = new Map<string, Statement>();
  private readonly snapshot: (read: () => readonly DocumentRow[]) => readonly DocumentRow[];

  constructor(
    private readonly reader: Connection,
    private readonly writer: Pick<WriterClient, 'submit' | 'onCommit'>,
  ) {
    super();
    this.snapshot = reader.transaction((read: () => readonly DocumentRow[]) => read());
    this.registry = new ViewRegistry(reader);
    this.codec = new DocumentForm(reader);
    writer.onCommit((views) => {
      for (const view of views) this.tables.get(view)?.documents.clear();
    });
  }

  async get<D>(view: ViewDefinition, id: string): Promise<D | undefined> {
    return this.onTable(view, (table) => this.document<D>(table, id));
  }

  async getMany<D>(view: ViewDefinition, ids: readonly string[]): Promise<readonly D[]> {
    return this.onTable(view, (table) => ids.flatMap((id) => this.document<D>(table, id) ?? []));
  }

  async find<D>(view: ViewDefinition, query: ViewQuery): Promise<Found<D>> {
    if (asksForNothing(query.where)) return { documents: [], positions: [] };
    return this.onTable(view, (table) => this.found<D>(table, (source) => pageSql(view, source, query)));
  }

  async count(view: ViewDefinition, where: Where): Promise<number> {
    if (asksForNothing(where)) return 0;
    return this.onTable(view, (table) => {
      const fields = countedFields(view, where);
      const { text, parameters } = fields
        ? keptTotalSql(table.name, fields, where)
        : countSql(view, table.name, where);
      return this.statement(text)
        .pluck()
        .get(...parameters) as number;
    });
  }

  async range<D>(view: ViewDefinition, query: RangeQuery): Promise<readonly D[]> {
    return this.onTable(view, (table) => {
      const rows = this.read(table, (source) => rangeSql(view, source, query));
      return rows.map((row) => table.reader.decode(row) as D);
    });
  }

  async totals(view: ViewDefinition, query: TotalsQuery): Promise<readonly Total[]> {
    const range = totalRange(view, query);
    const { reader: db, codec: form } = this;
    return this.onTable(view, ({ name: table }) =>
      db.transaction(() => totalsBy(query.by, keptTotals({ db, form, view, table }, range)))(),
    );
  }

  async findPrefix<D>(view: ViewDefinition, query: PrefixQuery): Promise<Found<D> | undefined> {
    if (asksForNothing(query.where)) return { documents: [], positions: [] };
    return this.onTable(view, (table) => {
      const exceeds = exceedsSql(view, { table: table.name, columns: '', hasUnindexed: true }, query);
      if (this.statement(exceeds.text).pluck().get(exceeds.parameters) === 1) return undefined;
      return this.found<D>(table, (source) => prefixSql(view, source, query));
    });
  }

  setVolatile({ name }: ViewDefinition, change: VolatileChange): Promise<void> {
    return this.writer.submit({ kind: 'set_volatile', view: name, change }, () => undefined);
  }

  private document<D>({ byId, reader, documents }: OpenTable, id: string): D | undefined {
    const known = documents.get(id) as D | undefined;
    if (known) return known;
    const row = byId.get(compactId(id)) as DocumentRow | undefined;
    if (!row) return undefined;
    const document = reader.decode(row);
    documents.set(id, document);
    return document as D;
  }

  private found<D>(table: OpenTable, query: (source: Source) => Sql): Found<D> {
    const rows = this.read(table, query);
    return {
      documents: rows.map((row) => table.reader.decode(row) as D),
      positions: rows.map(([row, , , , created]) => creationPositionFrom({ created, row })),
    };
  }

  /** One snapshot: rows may be indexed between two statements. */
  private read(table: OpenTable, query: (source: Source) => Sql): readonly DocumentRow[] {
    return this.snapshot(() => {
      const hasUnindexed = table.hasUnindexed.get() === 1;
      const { text, parameters } = query({ table: table.name, columns: table.reader.columns, hasUnindexed });
      return this.statement(text)
        .raw()
        .all(...parameters) as DocumentRow[];
    });
  }

  private onTable<T>({ name }: ViewDefinition, read: (table: OpenTable) => T): T {
    const known = this.tables.get(name);
    try {
      if (known !== undefined) return read(known);
    } catch (error) {
      if (!sqliteCode(error) || !messageOf(error).startsWith('no such')) throw error;
    }
    this.statements.clear();
    const current = this.open(this.registry.tableOf({ name }));
    this.tables.set(name, current);
    return read(current);
  }

  private open(name: string): OpenTable {
    const reader = this.codec.reader(name);
    return {
      name,
      reader,
      byId: this.reader.prepare(`SELECT ${reader.columns} FROM ${name} WHERE id = ?`).raw(),
      hasUnindexed: this.reader.prepare(hasUnindexedSql(name)).pluck(),
      documents: new LRUCache({ max: RECENT_DOCUMENTS }),
    };
  }

  private statement(text: string): Statement {
    let statement = this.statements.get(text);
    if (!statement) {
      if (this.statements.size >= MAX_STATEMENTS) this.statements.clear();
      this.statements.set(text, (statement = this.reader.prepare(text)));
    }
    return statement;
  }
}
