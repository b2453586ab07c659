import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { ColumnSpace } from './fit-columns.js';
import type { Reading } from './parts.js';

export interface DataColumn<T> extends ColumnSpace {
  /** Heading; an empty one stands for the buttons of a row. */
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /** Numbers end at the same edge. */
  readonly align?: 'end';
}

export interface DataTableProps<T extends RowData> {
  readonly caption: string;
  /** For a table whose heading on the page says the same. */
  readonly captionHidden?: boolean;
  /** The first is the heading of its row. Made once, outside of the component or by `useMemo`. */
  readonly columns: readonly DataColumn<T>[];
  /** Undefined while they are read. */
  readonly rows: readonly T[] | undefined;
  readonly idOf: (row: T) => string;
  /** Shown in place of the table if there is no row. */
  readonly empty?: ReactNode;
  /** The reading of the rows, whose failure is shown in place of the table, or above older rows. */
  readonly reading?: Omit<Reading<unknown>, 'data'>;
  /** So many rows keep the place of those that are read. */
  readonly loadingRows?: number;
  /** What the detail of a row shows besides the columns without room. */
  readonly detail?: (row: T) => ReactNode;
  /** Ids of the chosen rows; lets a person choose several. */
  readonly selection?: {
    readonly chosen: ReadonlySet<string>;
    readonly onChange: (chosen: ReadonlySet<string>) => void;
    /** Names a row for its box, as in "Choose Receipt 7". */
    readonly nameOf: (row: T) => string;
  };
  /** `j` and `k` go through the rows; Enter opens the link of the row. */
  readonly keyboard?: boolean;
}
