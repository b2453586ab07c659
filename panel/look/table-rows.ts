import {
  columnVisibilityFeature,
  rowExpandingFeature,
  rowSelectionFeature,
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
});
export type TableRow<T extends RowData> = Row<typeof features, T>;

const NONE: readonly never[] = [];

/** Choosing and opening of the rows. @param without ids of the columns without room */
export function useRows<T extends RowData>(
  { columns, rows, idOf, selection }: DataTableProps<T>,
  without: readonly string[],
) {
  const definitions = useMemo(
    () => columns.map(({ id }): ColumnDef<typeof features, T> => ({ id })),
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
