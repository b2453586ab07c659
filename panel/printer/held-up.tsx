import { Link } from 'wouter';
import type { LateJob, PrinterBehind } from '../../sdk/src/generated/panel.js';
import { JobLink } from '../look/job-link.js';
import { Lasting } from '../look/parts.js';

/** Where a job can be at its computer, from the paper on. */
export const AT_COMPUTER: readonly LateJob['status'][] = ['sent_to_spooler', 'accepted_by_agent', 'leased'];

/** Which job holds a printer up, and for how long. */
export function HeldUp({ job: { job_id, title, status, since } }: { readonly job: LateJob }) {
  const place = status === 'sent_to_spooler' ? 'in the spooler' : 'at the computer';
  return (
    <>
      <JobLink id={job_id} title={title} />{' '}
      {AT_COMPUTER.includes(status) ? `has been ${place}` : 'has waited'} <Lasting since={since} />.
    </>
  );
}

/** Names a printer that is behind, and the job. Why a job is still queued is on its own page. */
export function IsBehind({ printer }: { readonly printer: PrinterBehind }) {
  const { printer_id, printer_name, computer_name, job } = printer;
  return (
    <>
      <Link href={`/devices/printers/${printer_id}`}>
        <bdi>{printer_name}</bdi>
      </Link>{' '}
      is behind: <HeldUp job={job} />
      {AT_COMPUTER.includes(job.status) && (
        <>
          {' '}
          Look at the printer, and at its queue on <bdi>{computer_name}</bdi>.
        </>
      )}
    </>
  );
}
