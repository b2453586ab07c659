import { Link } from 'wouter';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { JOB_STATUS } from '../look/job-status.js';
import { Foreign, Status, Table, Time } from '../look/parts.js';

interface JobTableProps {
  readonly jobs: readonly PrintJob[];
  readonly caption: string;
}

export function JobTable({ jobs, caption }: JobTableProps) {
  return (
    <Table caption={caption} columns={['Job', 'Status', 'Printer', 'External id', 'Created']}>
      {jobs.map((job) => (
        <tr key={job.job_id}>
          <th scope="row">
            <Link href={`/jobs/${job.job_id}`}>
              <bdi>{job.title ?? job.job_id}</bdi>
            </Link>
          </th>
          <td data-label="Status">
            <Status {...JOB_STATUS[job.status]} />
          </td>
          <td data-label="Printer">
            <Foreign text={job.printer_name} /> <span className="quiet">on</span>{' '}
            <Foreign text={job.computer_name} />
          </td>
          <td data-label="External id">
            <Foreign text={job.external_id} />
          </td>
          <td data-label="Created">
            <Time at={job.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
