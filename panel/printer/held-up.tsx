import type { LateJob } from '../../sdk/src/generated/panel.js';
import { JobLink } from '../look/job-link.js';
import { Lasting } from '../look/parts.js';

const STANDS: Partial<Record<LateJob['status'], string>> = {
  leased: 'has been at the Agent',
  accepted_by_agent: 'has been at the Agent',
  sent_to_spooler: 'has been in the spooler',
};

/** Which job holds a printer up, and for how long. */
export function HeldUp({ job: { job_id, title, status, since } }: { readonly job: LateJob }) {
  return (
    <>
      <JobLink id={job_id} title={title} /> {STANDS[status] ?? 'has waited'} <Lasting since={since} />.
    </>
  );
}

/** What a person does about a printer whose computer is online. */
export function LookAtPrinter({ computer }: { readonly computer: string | undefined }) {
  return (
    <>
      Look at the printer, and at its queue on <bdi>{computer ?? 'its computer'}</bdi>.
    </>
  );
}
