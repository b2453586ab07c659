import type { ViewDefinition, ViewIndex } from '../../../src/kernel/projection.js';
import type { StoredDocument } from '../../../src/event-sourcing/projections/projection-runner.js';
import {
  combinationsOf,
  countKey,
  indexFor,
  matches,
  scalarOf,
} from '../../../src/event-sourcing/projections/view-index.js';
import type { ViewQuery, Where } from '../../../src/event-sourcing/ports/view-store.port.js';

type Row = StoredDocument & { readonly id: string };

/** Documents of one build by id, found through the indexes that the view declares. */
export class IndexedDocuments extends Map<string, StoredDocument> {
  private readonly groups = new Map<string, Map<string, Row>>();
  private readonly ranges = new Map<string, Row[]>();

  constructor(private readonly view: ViewDefinition) {
    super();
  }

  override set(id: string, stored: StoredDocument): this {
    this.unindex(id);
    super.set(id, stored);
    const row = { id, ...stored };
    for (const index of this.view.indexes) {
      const key = this.keyOf(index, stored.document);
      const group = this.groups.get(key);
      if (group) group.set(id, row);
      else this.groups.set(key, new Map([[id, row]]));
    }
    for (const [field, rows] of this.ranges) insert(rows, row, field);
    return this;
  }

  override delete(id: string): boolean {
    this.unindex(id);
    return super.delete(id);
  }

  /** Unsorted. */
  found(where: Where, order: ViewQuery['order']): readonly Row[] {
    const index = indexFor(this.view, where, order);
    const rows = index ? this.ofIndex(index, where) : [...this].map(([id, stored]) => ({ id, ...stored }));
    return rows.filter(({ document }) => matches(document, where));
  }

  /** How many have these values, of fields with or without an index. */
  matching(where: Where): number {
    let count = 0;
    for (const { document } of this.values()) if (matches(document, where)) count++;
    return count;
  }

  /** In the order of the field; without those that have no text there. */
  inOrderOf(field: string): readonly Row[] {
    let rows = this.ranges.get(field);
    if (!rows) {
      rows = [];
      for (const [id, stored] of this) insert(rows, { id, ...stored }, field);
      this.ranges.set(field, rows);
    }
    return rows;
  }

  private ofIndex(index: ViewIndex, where: Where): readonly Row[] {
    const combinations = combinationsOf(where, index.fields);
    return combinations.flatMap((values) => [
      ...(this.groups.get(nameOf(index) + countKey(index.fields, values))?.values() ?? []),
    ]);
  }

  private keyOf(index: ViewIndex, document: object): string {
    const values = index.fields.map((field) => scalarOf(document, field));
    return nameOf(index) + countKey(index.fields, values);
  }

  private unindex(id: string): void {
    const stored = this.get(id);
    if (!stored) return;
    for (const index of this.view.indexes) {
      const key = this.keyOf(index, stored.document);
      const group = this.groups.get(key);
      group?.delete(id);
      if (group?.size === 0) this.groups.delete(key);
    }
    for (const [field, rows] of this.ranges) {
      const at = placeOf(rows, { id, ...stored }, field);
      if (rows[at]?.id === id) rows.splice(at, 1);
    }
  }
}

const nameOf = ({ fields, onlyWhen, inLogOrder }: ViewIndex) =>
  `${fields.join()} ${onlyWhen?.field ?? ''}${inLogOrder ? ' logged' : ''}|`;

const sortKey = (row: Row, field: string) => `${scalarOf(row.document, field)} ${row.creationPosition}`;

/** Of the row, or where it belongs. */
function placeOf(rows: readonly Row[], row: Row, field: string): number {
  const key = sortKey(row, field);
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sortKey(rows[middle]!, field) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(rows: Row[], row: Row, field: string): void {
  if (typeof scalarOf(row.document, field) === 'string') rows.splice(placeOf(rows, row, field), 0, row);
}
