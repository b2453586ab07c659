import type { RowData } from '@tanstack/react-table';
import { useDeferredValue, useMemo, useRef } from 'react';
import { CheckBox, DataRow } from './data-row.js';
import type { DataColumn, DataTableProps } from './data-column.js';
import { fitColumns } from './fit-columns.js';
import { Problem, StaleProblem } from './parts.js';
import { useRowKeys, useRows, type Rows } from './table-rows.js';
import { useIsNarrow, useWidth } from './use-width.js';
import { WholeText } from './whole-text.js';

export type { DataColumn } from './data-column.js';

/** Pixels of a column with one box or button. */
const BUTTON = 40;
const NONE: readonly never[] = [];

/**
 * The rows of a list, 36 px high. Text that has no room ends in an ellipsis, with its whole in a tooltip; columns that
 * have no room are in the detail of each row. On small screens rows are cards with all columns.
 */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { reading, empty } = props;
  // Drawn in pieces: a page of new rows at once would hold up the person. The first ones have their place at once.
  const before = useDeferredValue(props.rows);
  const rows = before ?? props.rows;
  if (rows === undefined && reading?.error)
    return <Problem error={reading.error} again={() => void reading.refetch()} />;
  return (
    <>
      {reading && <StaleProblem reading={reading} />}
      {rows?.length === 0 && empty !== undefined ? empty : <Shown {...props} rows={rows} />}
    </>
  );
}

function Shown<T extends RowData>(props: DataTableProps<T>) {
  const {
    caption,
    captionHidden,
    columns,
    rows,
    selection,
    detail,
    loadingRows = 5,
    keyboard = false,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const isNarrow = useIsNarrow();
  const own = (selection ? BUTTON : 0) + (detail ? BUTTON : 0);
  const { widths, hidden } = useMemo(
    () => fitColumns(columns, (width ?? 0) - own, detail ? 0 : BUTTON),
    [columns, width, own, detail],
  );
  const without = isNarrow ? NONE : hidden;
  const opens = without.length > 0 || detail !== undefined;
  const table = useRows(props, without);
  useRowKeys(box, keyboard);
  return (
    <WholeText>
      <div ref={box} className="data-box">
        {/* Not drawn for a width that is not the one of the page. */}
        {width !== undefined && (
          <table className="data-table" aria-busy={rows === undefined}>
            <caption className={captionHidden ? 'hidden' : undefined}>
              {rows ? caption : <span role="status">Loading…</span>}
            </caption>
            {!isNarrow && (
              <colgroup>
                {selection && <col style={{ width: BUTTON }} />}
                {Object.entries(widths).map(([id, pixels]) => (
                  <col key={id} style={{ width: pixels }} />
                ))}
                {opens && <col style={{ width: BUTTON }} />}
              </colgroup>
            )}
            <Head table={table} columns={columns} chooses={selection !== undefined} opens={opens} />
            <tbody>
              {rows === undefined ? (
                <LoadingRows count={loadingRows} />
              ) : (
                table
                  .getRowModel()
                  .rows.map((row) => (
                    <DataRow
                      key={row.id}
                      row={row}
                      original={row.original}
                      isChosen={row.getIsSelected()}
                      isOpen={row.getIsExpanded()}
                      {...{ columns, detail, selection, without, opens }}
                    />
                  ))
              )}
            </tbody>
          </table>
        )}
      </div>
    </WholeText>
  );
}

function LoadingRows({ count }: { readonly count: number }) {
  return Array.from({ length: count }, (_, n) => (
    <tr key={n}>
      <td colSpan={100}>
        <span className="bar" />
      </td>
    </tr>
  ));
}

interface HeadProps<T extends RowData> {
  readonly table: Rows<T>;
  readonly columns: readonly DataColumn<T>[];
  readonly chooses: boolean;
  readonly opens: boolean;
}

function Head<T extends RowData>({ table, columns, chooses, opens }: HeadProps<T>) {
  return (
    <thead>
      <tr>
        {chooses && (
          <th scope="col">
            <CheckBox
              name="Select all"
              checked={table.getIsAllRowsSelected()}
              onChange={table.getToggleAllRowsSelectedHandler()}
            />
          </th>
        )}
        {columns
          .filter(({ id }) => table.getColumn(id)?.getIsVisible())
          .map(({ id, header, align }) => (
            <th key={id} scope="col" className={align}>
              {header || <span className="hidden">Actions</span>}
            </th>
          ))}
        {opens && (
          <th scope="col">
            <span className="hidden">Detail</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
