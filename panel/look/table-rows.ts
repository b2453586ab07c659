import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type Row,
  type RowData,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { DataTableProps } from './data-column.js';
import { useKeys } from './keys.js';

const features = tableFeatures({
  columnVisibilityFeature,
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});
export type TableRow<T extends RowData> = Row<typeof features, T>;

const NONE: readonly never[] = [];

/** Sorting, choosing and opening of the rows. @param without ids of the columns without room */
export function useRows<T extends RowData>(
  { columns, rows, idOf, selection }: DataTableProps<T>,
  without: readonly string[],
) {
  const definitions = useMemo(
    () =>
      columns.map(({ id, sortBy }): ColumnDef<typeof features, T> => ({
        id,
        ...(sortBy && {
          accessorFn: sortBy,
          sortFn: (a, b) => compare(sortBy(a.original), sortBy(b.original)),
        }),
        enableSorting: sortBy !== undefined,
      })),
    [columns],
  );
  const chosen = useMemo(
    () => Object.fromEntries([...(selection?.chosen ?? [])].map((id) => [id, true as const])),
    [selection?.chosen],
  );
  return useTable({
    features,
    columns: definitions,
    data: rows ?? NONE,
    getRowId: idOf,
    getRowCanExpand: () => true,
    enableRowSelection: selection !== undefined,
    autoResetExpanded: false,
    state: {
      columnVisibility: Object.fromEntries(without.map((id) => [id, false])),
      rowSelection: chosen,
    },
    onRowSelectionChange: (change) => {
      const next = typeof change === 'function' ? change(chosen) : change;
      selection?.onChange(new Set(Object.keys(next).filter((id) => next[id])));
    },
  });
}

function compare(one: string | number | undefined, other: string | number | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  return one < other ? -1 : 1;
}

export type Rows<T extends RowData> = ReturnType<typeof useRows<T>>;

/** Moves the focus through the first links of the rows. */
export function useRowKeys(box: { readonly current: HTMLElement | null }, isOn: boolean): void {
  const step = (by: 1 | -1) => () => {
    const all = [...(box.current?.querySelectorAll<HTMLElement>('tbody th :is(a, button)') ?? [])];
    const now = all.findIndex((one) => one.closest('tr')?.contains(document.activeElement));
    const next = now === -1 && by === -1 ? all.length - 1 : now + by;
    all[Math.min(Math.max(next, 0), all.length - 1)]?.focus();
  };
  useKeys(isOn ? { j: step(1), k: step(-1) } : {});
}
