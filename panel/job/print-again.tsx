import { useState, type FormEvent } from 'react';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { useChange } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { Dialog } from '../look/dialogs.js';
import { Action, Foreign, Problem, Time } from '../look/parts.js';
import { whyNot } from './why-not.js';

interface PrintAgainProps {
  readonly job: PrintJob;
  /** Of the newest attempt. */
  readonly handedOffAt: string | undefined;
}

/** Only a person who has looked sends again what may have been printed. */
export function PrintAgain({ job, handedOffAt }: PrintAgainProps) {
  const [key, setKey] = useState<string>();
  const missingRole = useMissingRole('jobs:retry');
  return (
    <>
      <Action missingRole={missingRole} why={whyNot(job)} main onClick={() => setKey(crypto.randomUUID())}>
        Print again…
      </Action>
      {key && (
        <PrintAgainDialog
          job={job}
          handedOffAt={handedOffAt}
          idempotencyKey={key}
          onClose={() => setKey(undefined)}
        />
      )}
    </>
  );
}

interface DialogProps extends PrintAgainProps {
  readonly idempotencyKey: string;
  readonly onClose: () => void;
}

function PrintAgainDialog({ job, handedOffAt, idempotencyKey, onClose }: DialogProps) {
  const [looked, setLooked] = useState(false);
  const retry = useChange('retryPrintJob', 'jobs', 'overview');
  const mayBePrinted = job.status === 'manual_review';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get('reason')).trim();
    const body = reason === '' ? {} : { reason };
    const call = { params: { job_id: job.job_id }, body, idempotencyKey };
    retry.mutate(call, {
      onSuccess: () => {
        onClose();
        void import('../look/toasts.js').then(({ say }) => say('The job waits to be printed again'));
      },
    });
  };
  return (
    <Dialog title="Print again" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {mayBePrinted && <Evidence job={job} handedOffAt={handedOffAt} />}
        {mayBePrinted && (
          <label>
            <input type="checkbox" checked={looked} onChange={(event) => setLooked(event.target.checked)} />I
            have looked: it was not printed
          </label>
        )}
        <label className="field">
          Reason
          <input name="reason" maxLength={500} />
        </label>
        {retry.error && <Problem error={retry.error} />}
        <div className="row">
          <button type="submit" className="main" disabled={(mayBePrinted && !looked) || retry.isPending}>
            Print again
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What is known about the attempt, and where to look. */
function Evidence({ job, handedOffAt }: PrintAgainProps) {
  return (
    <>
      <p>It may have been printed. Before it is sent again, look:</p>
      <ul>
        <li>
          in the tray of <Foreign text={job.printer_name} />
        </li>
        <li>
          in the queue of that printer on <Foreign text={job.computer_name} />, for the document{' '}
          <code>{`svc:${job.job_id}:${job.attempt_count}`}</code>
        </li>
      </ul>
      <dl className="facts">
        <dt>Hand-off began</dt>
        <dd>
          <Time at={handedOffAt} exact />
        </dd>
        <dt>Job of the spooler</dt>
        <dd>
          <Foreign text={job.spooler_job_id} />
        </dd>
      </dl>
    </>
  );
}
