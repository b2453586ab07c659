import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JobExplanation, PrintJob } from '../../sdk/src/generated/integration.js';
import type { PanelEvent } from '../../sdk/src/generated/panel.js';
import { Link } from 'wouter';
import { ExportProof } from '../account/export-proof.js';
import { addressOf, call } from '../api/client.js';
import { RECENT, useChange, useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { isNotFound, NoSuch } from '../app/no-such.js';
import { Page } from '../app/page.js';
import { endedBadly, JOB_STATUS } from '../look/job-status.js';
import { Action, Copy, Foreign, Problem, Read, StaleProblem, Status, Time } from '../look/parts.js';
import { size } from '../look/times.js';
import { DeliveryTable } from '../webhooks/delivery-table.js';
import { DocumentPreview } from './document-preview.js';
import { DocumentText } from './document-text.js';
import { ExplanationView } from './explanation-view.js';
import { LanesView } from './lanes-view.js';
import { Moments } from './moments.js';
import { PrintAgain } from './print-again.js';
import { Receipt } from './receipt-view.js';
import { Lineage, Reprint } from './reprint.js';

export function JobPage({ jobId }: { readonly jobId: string }) {
  const [at, setAt] = useState<string>();
  const now = useJob(jobId);
  const then = useRead(
    'jobs',
    'getPrintJob',
    { params: { job_id: jobId }, query: { at } },
    { enabled: at !== undefined, placeholderData: keepPreviousData },
  );
  if (isNotFound(now.error)) return <NoSuch what="job" href="/jobs" list="All jobs" />;
  const present = now.data?.job;
  return (
    <Page title={present?.reprint_of ? 'Reprint' : 'Job'} subject={present?.title ?? present?.job_id}>
      <Read of={now}>
        {({ job, events, explanation }) => (
          <>
            <StaleProblem reading={then} />
            <Shown
              job={at === undefined ? job : (then.data ?? job)}
              events={events}
              explanation={explanation}
              at={at}
              onMoment={setAt}
            />
          </>
        )}
      </Read>
    </Page>
  );
}

/**
 * One reading, so that the sentence about a job is never older than the status beside it. Changes of jobs make it old;
 * the interval finds what else changes the sentence, as a printer that was paused.
 */
function useJob(jobId: string) {
  return useQuery({
    queryKey: ['jobs', 'job', jobId],
    queryFn: async ({ signal }) => {
      const given = { params: { job_id: jobId }, signal };
      const job = await call('getPrintJob', given);
      const [{ items }, explanation] = await Promise.all([
        call('getJobEvents', given),
        // The rest of the page is of use without it.
        call('explainPrintJob', given).catch(() => undefined),
      ]);
      return { job, events: items as readonly PanelEvent[], explanation };
    },
    refetchInterval: RECENT.refetchInterval,
  });
}

interface ShownProps {
  readonly job: PrintJob;
  readonly events: readonly PanelEvent[];
}

interface MomentProps extends ShownProps {
  /** Undefined if it could not be read. */
  readonly explanation: JobExplanation | undefined;
  /** Shows the job as it was then; undefined: now. */
  readonly at: string | undefined;
  readonly onMoment: (at: string | undefined) => void;
}

function Shown({ job, events: all, explanation, at, onMoment }: MomentProps) {
  const events = at === undefined ? all : all.filter(({ recorded_at }) => recorded_at <= at);
  const handoff = events.findLast(
    ({ type, data }) => type === 'HandoffStarted' && (data as { fence?: number }).fence === job.attempt_count,
  );
  const isGone = events.some(({ type }) => type === 'ContentPurged');
  return (
    <>
      <section className="box stack" aria-label="Verdict">
        <Status {...JOB_STATUS[job.status]} />
        {at === undefined && (
          <>
            {explanation ? (
              <ExplanationView {...explanation} printerPage={`/devices/printers/${job.printer_id}`} />
            ) : (
              <p>Why it stands so could not be read.</p>
            )}
            <div className="row">
              <PrintAgain job={job} handedOffAt={handoff?.recorded_at} />
              <Reprint job={job} isGone={isGone} />
              <Cancel job={job} />
            </div>
          </>
        )}
        <Moments events={all} at={at} onChange={onMoment} />
      </section>
      <div className="with-side">
        <div className="stack wide">
          <LanesView events={events} />
          <Receipt job={job} />
          <Deliveries jobId={job.job_id} />
        </div>
        <div className="stack wide">
          <Facts job={job} events={events} />
          <Document job={job} isGone={isGone} />
        </div>
      </div>
      <details>
        <summary>Stored events ({events.length})</summary>
        <div className="stack">
          <p>
            <code>{`rps events stream job-${job.job_id}`}</code>{' '}
            <Copy text={`rps events stream job-${job.job_id}`} name="command" />
          </p>
          <div className="row">
            <ExportProof of={`jobs/${job.job_id}`} />
            <span className="quiet">
              that none of them was changed, as far as the newest checkpoint covers them (
              <Link href="/account/evidence">Evidence</Link>)
            </span>
          </div>
          <pre tabIndex={0} aria-label="Stored events">
            {JSON.stringify(events, null, 2)}
          </pre>
        </div>
      </details>
    </>
  );
}

function Cancel({ job }: { readonly job: PrintJob }) {
  const cancel = useChange('cancelPrintJob', 'jobs', 'overview');
  return (
    <>
      <Action
        missingRole={useMissingRole('jobs:cancel')}
        why={job.can_cancel ? undefined : 'only jobs that no Agent has accepted can be cancelled'}
        busy={cancel.isPending}
        onClick={() => cancel.mutate({ params: { job_id: job.job_id }, body: {} })}
      >
        Cancel
      </Action>
      {cancel.error && <Problem error={cancel.error} />}
    </>
  );
}

function Facts({ job, events }: ShownProps) {
  return (
    <section className="stack" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <dl className="facts">
        <dt>Job id</dt>
        <dd>
          <code>{job.job_id}</code> <Copy text={job.job_id} name="job id" />
        </dd>
        <dt>Printer</dt>
        <dd>
          <Link href={`/devices/printers/${job.printer_id}`}>
            <Foreign text={job.printer_name} />
          </Link>{' '}
          on <Foreign text={job.computer_name} />
        </dd>
        <dt>External id</dt>
        <dd>
          <Foreign text={job.external_id} />
        </dd>
        <dt>Copies</dt>
        <dd>{job.copies}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={job.created_at} exact />
        </dd>
        <dt>Expires</dt>
        <dd>
          <Time at={job.expires_at} exact />
        </dd>
        <Lineage job={job} events={events} />
        {job.failure_code && endedBadly(job) && (
          <>
            <dt>Failure</dt>
            <dd>
              <code>{job.failure_code}</code> {job.failure_message && <Foreign text={job.failure_message} />}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Document({ job, isGone }: { readonly job: PrintJob; readonly isGone: boolean }) {
  const missingRole = useMissingRole('panel:documents');
  const address = addressOf(`/panel/jobs/${job.job_id}/document`);
  return (
    <section className="stack" aria-labelledby="document">
      <h2 id="document">Document</h2>
      <p>
        {job.content_type}, {size(job.content_size_bytes)}
        {isGone && ', no longer kept'}
      </p>
      {!isGone &&
        (missingRole ? (
          <Action missingRole={missingRole} onClick={() => undefined}>
            Download
          </Action>
        ) : (
          <div className="row">
            <a className="button" href={address} download>
              Download
            </a>
            <DocumentText job={job} address={address} />
            <DocumentPreview job={job} />
          </div>
        ))}
    </section>
  );
}

function Deliveries({ jobId }: { readonly jobId: string }) {
  const deliveries = useRead('deliveries', 'getJobDeliveries', { params: { job_id: jobId } });
  return (
    <section className="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">Webhook deliveries</h2>
      <Read of={deliveries}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">None.</p>
          ) : (
            <DeliveryTable deliveries={items} caption="Deliveries of this job, newest first" of="job" />
          )
        }
      </Read>
    </section>
  );
}
