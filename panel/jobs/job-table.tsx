import type { ReactNode } from 'react';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import type { DataTableProps } from '../look/data-column.js';
import { JobLink } from '../look/job-link.js';
import { JOB_STATUS } from '../look/job-status.js';
import { Status, Text, Time, type Reading } from '../look/parts.js';

const COLUMNS: readonly DataColumn<PrintJob>[] = [
  {
    id: 'title',
    header: 'Job',
    width: 200,
    grow: 3,
    cell: ({ job_id, title }) => <JobLink id={job_id} title={title} />,
  },
  {
    id: 'status',
    header: 'Status',
    width: 160,
    cell: ({ status }) => <Status {...JOB_STATUS[status]} />,
  },
  {
    id: 'printer',
    header: 'Printer',
    width: 150,
    grow: 2,
    priority: 2,
    cell: ({ printer_name }) => <Text text={printer_name} />,
  },
  {
    id: 'computer',
    header: 'Computer',
    width: 120,
    grow: 1,
    priority: 4,
    cell: ({ computer_name }) => <Text text={computer_name} />,
  },
  {
    id: 'external',
    header: 'External id',
    width: 120,
    grow: 1,
    priority: 5,
    cell: ({ external_id }) => <Text text={external_id} />,
  },
  {
    id: 'created',
    header: 'Created',
    width: 120,
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

export function JobTable({ jobs, ...rest }: JobTableProps) {
  return <DataTable {...rest} columns={COLUMNS} rows={jobs} idOf={({ job_id }) => job_id} />;
}
