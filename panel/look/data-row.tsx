import type { RowData } from '@tanstack/react-table';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import type { DataTableProps } from './data-column.js';
import type { TableRow } from './table-rows.js';

interface RowProps<T extends RowData> {
  readonly row: TableRow<T>;
  readonly props: DataTableProps<T>;
  /** Ids of the columns without room. */
  readonly without: readonly string[];
  /** Whether rows have a detail. */
  readonly opens: boolean;
}

/** A row, and below it its detail when it is open. */
export function DataRow<T extends RowData>({ row, props, without, opens }: RowProps<T>) {
  const { columns, selection } = props;
  const { original } = row;
  const shown = columns.filter(({ id }) => !without.includes(id));
  return (
    <>
      <tr aria-selected={selection && row.getIsSelected()}>
        {selection && (
          <td>
            <CheckBox
              name={`Choose ${selection.nameOf(original)}`}
              checked={row.getIsSelected()}
              onChange={row.getToggleSelectedHandler()}
            />
          </td>
        )}
        {shown.map(({ id, header, align, cell }, n) =>
          n === 0 ? (
            <th key={id} scope="row">
              {cell(original)}
            </th>
          ) : (
            <td key={id} className={align} data-label={header || undefined}>
              {header ? <span className="cell">{cell(original)}</span> : cell(original)}
            </td>
          ),
        )}
        {opens && (
          <td>
            <Opener isOpen={row.getIsExpanded()} onClick={row.getToggleExpandedHandler()} />
          </td>
        )}
      </tr>
      {opens && row.getIsExpanded() && (
        <tr className="detail-row">
          <td className="detail" colSpan={shown.length + (selection ? 2 : 1)}>
            <Detail row={original} props={props} without={without} />
          </td>
        </tr>
      )}
    </>
  );
}

interface CheckBoxProps {
  readonly name: string;
  readonly checked: boolean;
  readonly onChange: (event: unknown) => void;
}

/** A box in a cell of its own. */
export function CheckBox({ name, checked, onChange }: CheckBoxProps) {
  return (
    <label className="only">
      <span className="hidden">{name}</span>
      <input type="checkbox" checked={checked} onChange={onChange} />
    </label>
  );
}

function Opener({ isOpen, onClick }: { readonly isOpen: boolean; readonly onClick: () => void }) {
  return (
    <button type="button" className="icon" aria-expanded={isOpen} aria-label="Detail" onClick={onClick}>
      {isOpen ? <ChevronDown /> : <ChevronRight />}
    </button>
  );
}

interface DetailProps<T extends RowData> {
  readonly row: T;
  readonly props: DataTableProps<T>;
  readonly without: readonly string[];
}

function Detail<T extends RowData>({ row, props: { columns, detail }, without }: DetailProps<T>) {
  const hidden = columns.filter(({ id }) => without.includes(id));
  return (
    <div className="stack">
      {hidden.length > 0 && (
        <dl className="facts">
          {hidden.map(({ id, header, cell }) => (
            <Fragment key={id}>
              <dt>{header}</dt>
              <dd>{cell(row)}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {detail?.(row)}
    </div>
  );
}
