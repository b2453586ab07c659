import { useState } from 'react';
import { useRead } from '../api/reads.js';
import { Copy, Foreign, Read, Table, Time } from '../look/parts.js';

/** A page of the audit; without a cursor the newest. */
export const useAudit = (cursor: string | undefined) =>
  useRead('audit', 'listAudit', { query: { limit: 25, cursor } });

/** Who changed what, newest first. */
export function Audit() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const audit = useAudit(cursors.at(-1));
  return (
    <section className="stack" aria-labelledby="audit">
      <h2 id="audit">Audit</h2>
      <Read of={audit}>
        {({ items, next_cursor }) => (
          <>
            <Table
              caption="Who changed what, newest first"
              columns={['When', 'Who', 'What', 'To', 'From', 'Request']}
            >
              {items.map((entry) => (
                <tr key={entry.event_id}>
                  <td data-label="When">
                    <Time at={entry.recorded_at} />
                  </td>
                  <td data-label="Who">
                    <Foreign text={entry.actor.name} />
                    {entry.link_by && (
                      <span className="quiet">
                        {' '}
                        (link of <Foreign text={entry.link_by.name} />)
                      </span>
                    )}
                  </td>
                  <td data-label="What">{entry.action}</td>
                  <td data-label="To">
                    {entry.subject.kind}{' '}
                    {entry.subject.name ? (
                      <Foreign text={entry.subject.name} />
                    ) : (
                      <code>{entry.subject.id}</code>
                    )}
                  </td>
                  <td data-label="From">
                    {entry.address} <Foreign text={entry.user_agent ?? ''} />
                    {entry.failures && <span className="quiet"> (failure {entry.failures} of the hour)</span>}
                  </td>
                  <td data-label="Request">
                    {entry.request_id && (
                      <Copy text={entry.request_id} name={`request id ${entry.request_id}`} />
                    )}
                  </td>
                </tr>
              ))}
            </Table>
            <div className="row">
              {cursors.length > 0 && (
                <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
                  Newer
                </button>
              )}
              {next_cursor && (
                <button type="button" onClick={() => setCursors([...cursors, next_cursor])}>
                  Older
                </button>
              )}
            </div>
          </>
        )}
      </Read>
    </section>
  );
}
