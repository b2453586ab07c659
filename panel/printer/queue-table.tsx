import { useMemo } from 'react';
import type { PrintJob } from '../../sdk/src/generated/panel.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { JobLink } from '../look/job-link.js';
import { JOB_STATUS } from '../look/job-status.js';
import { Status, Text, Time } from '../look/parts.js';
import { AT_COMPUTER } from './held-up.js';

const COLUMNS: readonly DataColumn<PrintJob>[] = [
  {
    ...{ id: 'title', header: 'Job', width: 200, grow: 3 },
    cell: ({ job_id, title }) => <JobLink id={job_id} title={title} />,
  },
  {
    ...{ id: 'status', header: 'Status', width: 170 },
    cell: ({ status }) => <Status {...JOB_STATUS[status]} />,
  },
  {
    ...{ id: 'external', header: 'External id', width: 120, grow: 1, priority: 4 },
    cell: ({ external_id }) => <Text text={external_id} />,
  },
  {
    ...{ id: 'attempts', header: 'Attempts', width: 90, priority: 5, align: 'end' },
    cell: ({ attempt_count }) => attempt_count,
  },
  {
    ...{ id: 'created', header: 'Created', width: 120, priority: 3 },
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

/** In the order of printing: what is at the computer comes out before what waits. */
function inOrder(jobs: readonly PrintJob[]): readonly PrintJob[] {
  const waiting = jobs.filter(({ status }) => !AT_COMPUTER.includes(status));
  return [...AT_COMPUTER.flatMap((place) => jobs.filter(({ status }) => status === place)), ...waiting];
}

interface QueueProps {
  readonly jobs: readonly PrintJob[];
  /** Where this part of the queue begins; undefined at its start. */
  readonly cursor: string | undefined;
  /** Where the next part begins, if there is one. */
  readonly next: string | undefined;
  readonly onTurn: (cursor: string | undefined) => void;
}

/** What waits for a printer and what its Agent has; in the order of printing, as far as these jobs are known. */
export function QueueTable({ jobs, cursor, next, onTurn }: QueueProps) {
  const rows = useMemo(() => inOrder(jobs), [jobs]);
  return (
    <section className="stack" aria-labelledby="queue">
      <h2 id="queue">Queue</h2>
      <DataTable
        caption={`Jobs of this printer${(cursor ?? next) ? '' : ', in the order of printing'}`}
        captionHidden
        columns={COLUMNS}
        rows={rows}
        idOf={({ job_id }) => job_id}
        empty={
          <p className="quiet">{cursor ? 'No further jobs.' : 'Nothing waits, and the Agent has nothing.'}</p>
        }
        keyboard
      />
      {(cursor ?? next) && (
        <div className="row">
          <button type="button" disabled={!cursor} onClick={() => onTurn(undefined)}>
            First jobs
          </button>
          <button type="button" disabled={!next} onClick={() => onTurn(next)}>
            Next jobs
          </button>
        </div>
      )}
    </section>
  );
}
