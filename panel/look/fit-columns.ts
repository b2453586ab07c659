/** What a column needs of the width of its table. */
export interface ColumnSpace {
  readonly id: string;
  /** Pixels that it needs at least. */
  readonly width: number;
  /** Its share of what is left; 0 keeps the column at its width. */
  readonly grow?: number;
  /** 1 stays at every width; the columns with the highest number leave first. */
  readonly priority?: number;
}

export interface FittedColumns {
  /** Pixels of each column that has room, by id. */
  readonly widths: Readonly<Record<string, number>>;
  /** Ids of the columns without room, in their order. */
  readonly hidden: readonly string[];
}

/**
 * Chooses the columns that have room. @param available pixels of the table, without its buttons
 * @param reserved pixels of the button that opens the detail; counted once a column is hidden
 */
export function fitColumns(
  columns: readonly ColumnSpace[],
  available: number,
  reserved: number,
): FittedColumns {
  const priorityOf = ({ priority = 1 }: ColumnSpace) => priority;
  const needed = (some: readonly ColumnSpace[]) => some.reduce((sum, { width }) => sum + width, 0);
  let shown = columns;
  const room = () => available - (shown.length < columns.length ? reserved : 0);
  while (needed(shown) > room()) {
    const last = Math.max(...shown.map(priorityOf));
    if (last <= 1) break;
    const leaves = shown.findLast((column) => priorityOf(column) === last);
    shown = shown.filter((column) => column !== leaves);
  }
  const rest = Math.max(0, room() - needed(shown));
  const shares = shown.reduce((sum, { grow = 0 }) => sum + grow, 0);
  const widthOf = ({ width, grow = 0 }: ColumnSpace) => width + (shares > 0 ? (rest * grow) / shares : 0);
  return {
    widths: Object.fromEntries(shown.map((column) => [column.id, Math.floor(widthOf(column))])),
    hidden: columns.filter((column) => !shown.includes(column)).map(({ id }) => id),
  };
}
