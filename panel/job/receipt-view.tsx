import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { Foreign, Table } from '../look/parts.js';
import { receiptRows } from './receipt.js';

/** What was asked for the pages, and what the printer did with it. */
export function Receipt({ job: { options, receipt } }: { readonly job: PrintJob }) {
  const rows = receiptRows(options, receipt?.applied);
  if (rows.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      <Table caption="Asked for, and printed" columns={['', 'Asked', 'Printed']}>
        {rows.map(({ label, asked, printed }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td data-label="Asked">
              <Foreign text={asked} />
            </td>
            <td data-label="Printed">
              <Foreign text={printed} />
            </td>
          </tr>
        ))}
      </Table>
      {receipt?.ignored.map(({ option, reason }) => (
        <p key={option + reason}>
          Not applied: {option}, <Foreign text={reason} />
        </p>
      ))}
      {!receipt && <p className="quiet">The Agent has not reported yet what was printed.</p>}
    </section>
  );
}
