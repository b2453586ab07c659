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

/** Rows by id, by the values of an index. */
type Groups = Map<string, Map<string, Row>>;

/** Documents of one build by id, found through the indexes that the view declares; each is made when first used. */
export class IndexedDocuments extends Map<string, StoredDocument> {
  private readonly groups = new Map<ViewIndex, Groups>();
  private readonly ranges = new Map<string, Row[]>();

  constructor(private readonly view: ViewDefinition) {
    super();
  }

  override set(id: string, stored: StoredDocument): this {
    this.unindex(id);
    const row = { id, ...stored };
    super.set(id, row);
    for (const [index, groups] of this.groups) addTo(groups, index, row);
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
    const rows = index ? this.ofIndex(index, where) : this.rows();
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
      for (const row of this.rows()) insert(rows, row, field);
      this.ranges.set(field, rows);
    }
    return rows;
  }

  private ofIndex(index: ViewIndex, where: Where): readonly Row[] {
    let groups = this.groups.get(index);
    if (!groups) {
      groups = new Map();
      for (const row of this.rows()) addTo(groups, index, row);
      this.groups.set(index, groups);
    }
    const combinations = combinationsOf(where, index.fields);
    return combinations.flatMap((values) => [
      ...(groups.get(countKey(index.fields, values))?.values() ?? []),
    ]);
  }

  private rows(): readonly Row[] {
    return [...this.values()] as Row[];
  }

  private unindex(id: string): void {
    const row = this.get(id) as Row | undefined;
    if (!row) return;
    for (const [index, groups] of this.groups) groups.get(keyOf(index, row.document))?.delete(id);
    for (const [field, rows] of this.ranges) {
      const at = placeOf(rows, row, field);
      if (rows[at]?.id === id) rows.splice(at, 1);
    }
  }
}

function addTo(groups: Groups, index: ViewIndex, row: Row): void {
  const { onlyWhen } = index;
  if (onlyWhen && !onlyWhen.in.includes(String(scalarOf(row.document, onlyWhen.field)))) return;
  const key = keyOf(index, row.document);
  const group = groups.get(key);
  if (group) group.set(row.id, row);
  else groups.set(key, new Map([[row.id, row]]));
}

function keyOf({ fields }: ViewIndex, document: object): string {
  const values = fields.map((field) => scalarOf(document, field));
  return countKey(fields, values);
}

/** Of the row, or where it belongs. */
function placeOf(rows: readonly Row[], row: Row, field: string): number {
  const value = String(scalarOf(row.document, field));
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = rows[middle]!;
    const otherValue = String(scalarOf(other.document, field));
    const isEarlier =
      otherValue === value ? other.creationPosition < row.creationPosition : otherValue < value;
    if (isEarlier) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(rows: Row[], row: Row, field: string): void {
  if (typeof scalarOf(row.document, field) === 'string') rows.splice(placeOf(rows, row, field), 0, row);
}
