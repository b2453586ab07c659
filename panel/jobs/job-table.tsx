import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import type { DataTableProps } from '../look/data-column.js';
import { JobLink } from '../look/job-link.js';
import { endedBadly, JOB_STATUS } from '../look/job-status.js';
import { Empty, Status, Text, Time, type Reading } from '../look/parts.js';

/** Why a job failed or needs a decision: in the words of its Agent, else those of its code. */
const reasonOf = (job: PrintJob) =>
  endedBadly(job) ? job.failure_message || job.failure_code?.toLowerCase().replaceAll('_', ' ') : undefined;

const COLUMNS: readonly DataColumn<PrintJob>[] = [
  {
    id: 'title',
    header: 'Job',
    width: 170,
    grow: 2,
    cell: ({ job_id, title }) => <JobLink id={job_id} title={title} />,
  },
  {
    id: 'status',
    header: 'Status',
    width: 230,
    grow: 4,
    cell: (job) => (
      <>
        <Status {...JOB_STATUS[job.status]} /> <bdi className="quiet">{reasonOf(job)}</bdi>
      </>
    ),
  },
  {
    id: 'printer',
    header: 'Printer',
    width: 180,
    grow: 1,
    priority: 2,
    cell: ({ printer_name, computer_name }) => (
      <>
        <Text text={printer_name} />{' '}
        <span className="quiet">
          on <Text text={computer_name} />
        </span>
      </>
    ),
  },
  {
    id: 'external',
    header: 'External id',
    width: 110,
    grow: 1,
    priority: 5,
    cell: ({ external_id }) => <Text text={external_id} />,
  },
  {
    id: 'created',
    header: 'Created',
    width: 100,
    priority: 3,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

interface JobTableProps {
  /** Undefined while they are read. */
  readonly jobs: readonly PrintJob[] | undefined;
  readonly caption: string;
  readonly captionHidden?: boolean;
  readonly empty?: ReactNode;
  readonly reading?: Omit<Reading<unknown>, 'data'>;
  readonly loadingRows?: number;
  readonly keyboard?: boolean;
  readonly selection?: DataTableProps<PrintJob>['selection'];
}

/** In place of the jobs of a new account. */
export const NoJobsYet = () => (
  <Empty text="No jobs yet.">
    <Link href="/send" className="button main">
      Send the first
    </Link>
  </Empty>
);

export function JobTable({ jobs, ...rest }: JobTableProps) {
  return <DataTable {...rest} columns={COLUMNS} rows={jobs} idOf={({ job_id }) => job_id} />;
}
