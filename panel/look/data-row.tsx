import type { RowData } from '@tanstack/react-table';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment, memo, type MouseEvent } from 'react';
import type { DataTableProps } from './data-column.js';
import type { TableRow } from './table-rows.js';

interface RowProps<T extends RowData> extends Pick<DataTableProps<T>, 'columns' | 'detail' | 'selection'> {
  readonly original: T;
  /** Chooses and opens the row. */
  readonly row: TableRow<T>;
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  /** Ids of the columns without room. */
  readonly without: readonly string[];
  /** Whether rows have a detail. */
  readonly opens: boolean;
}

/** Not compared: every reading makes new ones, which do the same. */
const SAME: readonly string[] = ['row', 'selection'];

const isSame = <T extends RowData>(before: RowProps<T>, after: RowProps<T>) =>
  (Object.keys(after) as (keyof RowProps<T>)[]).every(
    (name) => SAME.includes(name) || before[name] === after[name],
  );

/** A row, and below it its detail when it is open. Drawn again only if it shows something else. */
export const DataRow = memo(Row, isSame) as typeof Row;

function Row<T extends RowData>(props: RowProps<T>) {
  const { original, row, columns, detail, selection, isChosen, isOpen, without, opens } = props;
  const shown = columns.filter(({ id }) => !without.includes(id));
  return (
    <>
      <tr aria-selected={selection && isChosen} onClick={openRow}>
        {selection && (
          <td>
            <CheckBox
              name={`Choose ${selection.nameOf(original)}`}
              checked={isChosen}
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
            <Opener isOpen={isOpen} onClick={row.getToggleExpandedHandler()} />
          </td>
        )}
      </tr>
      {opens && isOpen && (
        <tr className="detail-row">
          <td className="detail" colSpan={shown.length + (selection ? 2 : 1)}>
            <Detail original={original} columns={columns} detail={detail} without={without} />
          </td>
        </tr>
      )}
    </>
  );
}

/** A click beside the controls of a row is one on its first link, unless it ends a selection of text. */
function openRow({ target, currentTarget, nativeEvent }: MouseEvent<HTMLTableRowElement>): void {
  const isControl = (target as Element).closest('a, button, input, label, dialog, summary') !== null;
  const isInside = currentTarget.contains(target as Element);
  if (isControl || !isInside || getSelection()?.type === 'Range') return;
  currentTarget
    .querySelector('th > a:first-child')
    ?.dispatchEvent(new window.MouseEvent('click', nativeEvent));
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

type DetailProps<T extends RowData> = Pick<RowProps<T>, 'original' | 'columns' | 'detail' | 'without'>;

function Detail<T extends RowData>({ original, columns, detail, without }: DetailProps<T>) {
  const hidden = columns.filter(({ id }) => without.includes(id));
  return (
    <div className="stack">
      {hidden.length > 0 && (
        <dl className="facts">
          {hidden.map(({ id, header, cell }) => (
            <Fragment key={id}>
              <dt>{header}</dt>
              <dd>{cell(original)}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {detail?.(original)}
    </div>
  );
}
