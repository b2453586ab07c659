import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Foreign, Text } from '../look/parts.js';
import { receiptRows } from './receipt.js';

const COLUMNS: readonly DataColumn<ReturnType<typeof receiptRows>[number]>[] = [
  { id: 'label', header: 'Option', width: 120, grow: 1, cell: ({ label }) => label },
  { id: 'asked', header: 'Asked', width: 120, grow: 2, cell: ({ asked }) => <Text text={asked} /> },
  { id: 'printed', header: 'Printed', width: 120, grow: 2, cell: ({ printed }) => <Text text={printed} /> },
];

/** What was asked for the pages, and what the printer did with it. */
export function Receipt({ job: { options, receipt } }: { readonly job: PrintJob }) {
  const rows = receiptRows(options, receipt?.applied);
  if (rows.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      <DataTable
        caption="Asked for, and printed"
        captionHidden
        columns={COLUMNS}
        rows={rows}
        idOf={({ label }) => label}
      />
      {receipt?.ignored.map(({ option, reason }) => (
        <p key={option + reason}>
          Not applied: {option}, <Foreign text={reason} />
        </p>
      ))}
      {!receipt && <p className="quiet">The Agent has not reported yet what was printed.</p>}
    </section>
  );
}
