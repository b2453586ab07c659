import { useState, type FormEvent } from 'react';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { useMissingRole } from '../api/session.js';
import { Dialog } from '../look/dialogs.js';
import { Action, Text } from '../look/parts.js';
import { useEach } from './use-each.js';

interface JobActionsProps {
  readonly chosen: readonly PrintJob[];
  /** Gets the jobs that stay chosen. */
  readonly onDone: (left: readonly PrintJob[]) => void;
}

type Open = 'cancel' | 'again';

/** What can be done with several jobs at once. */
export function JobActions({ chosen, onDone }: JobActionsProps) {
  const [open, setOpen] = useState<Open>();
  const mayCancel = useMissingRole('jobs:cancel');
  const mayRetry = useMissingRole('jobs:retry');
  const close = () => setOpen(undefined);
  const done = (left: readonly PrintJob[]) => (close(), onDone(left));
  const cancellable = chosen.filter(({ can_cancel }) => can_cancel);
  const retryable = chosen.filter(({ can_retry }) => can_retry);
  return (
    <div className="box row chosen-bar" role="group" aria-label="Chosen jobs">
      <span role="status">{countOf(chosen)} chosen</span>
      <Action
        missingRole={mayCancel}
        why={cancellable.length > 0 ? undefined : 'only jobs that no Agent has accepted can be cancelled'}
        onClick={() => setOpen('cancel')}
      >
        Cancel…
      </Action>
      <Action
        missingRole={mayRetry}
        why={retryable.length > 0 ? undefined : 'none of them has failed or needs a decision'}
        onClick={() => setOpen('again')}
      >
        Print again…
      </Action>
      <button type="button" className="plain" onClick={() => onDone([])}>
        Choose none
      </button>
      {open === 'cancel' && (
        <CancelDialog jobs={cancellable} left={chosen.length - cancellable.length} {...{ close, done }} />
      )}
      {open === 'again' && (
        <AgainDialog jobs={retryable} left={chosen.length - retryable.length} {...{ close, done }} />
      )}
    </div>
  );
}

interface DialogProps {
  /** Those of the chosen for which it could be done when the dialog opened. */
  readonly jobs: readonly PrintJob[];
  /** How many of the chosen are left as they are. */
  readonly left: number;
  readonly close: () => void;
  readonly done: (left: readonly PrintJob[]) => void;
}

function CancelDialog({ jobs: given, left, close, done }: DialogProps) {
  const [jobs] = useState(given);
  const work = useEach('cancelPrintJob', jobs, 'cancelled', done);
  return (
    <Dialog title={`Cancel ${countOf(jobs)}`} onClose={close} stays={work.isBusy}>
      <p>They are not printed. This cannot be taken back.</p>
      <Rest left={left} />
      <form className="row" onSubmit={work.submit(() => ({}))}>
        <button type="submit" className="main" disabled={work.isBusy}>
          {work.isBusy ? `${work.done} of ${jobs.length}…` : `Cancel ${countOf(jobs)}`}
        </button>
        <LeaveButton work={work} close={close} />
      </form>
    </Dialog>
  );
}

/** Only a person who has looked sends again what may have been printed. */
function AgainDialog({ jobs: given, left, close, done }: DialogProps) {
  const [jobs] = useState(given);
  const [looked, setLooked] = useState(false);
  const work = useEach('retryPrintJob', jobs, 'sent again', done);
  const doubtful = jobs.filter(({ status }) => status === 'manual_review');
  const body = (event: FormEvent<HTMLFormElement>) => {
    const reason = String(new FormData(event.currentTarget).get('reason')).trim();
    return reason === '' ? {} : { reason };
  };
  return (
    <Dialog title={`Print ${countOf(jobs)} again`} onClose={close} stays={work.isBusy}>
      <form className="stack" onSubmit={work.submit(body)}>
        {doubtful.length > 0 && <Doubtful jobs={doubtful} />}
        <Rest left={left} />
        {doubtful.length > 0 && (
          <label>
            <input type="checkbox" checked={looked} onChange={(event) => setLooked(event.target.checked)} />I
            have looked: none of these was printed
          </label>
        )}
        <label className="field">
          Reason
          <input name="reason" maxLength={500} />
        </label>
        <div className="row">
          <button type="submit" className="main" disabled={work.isBusy || (doubtful.length > 0 && !looked)}>
            {work.isBusy ? `${work.done} of ${jobs.length}…` : `Print ${countOf(jobs)} again`}
          </button>
          <LeaveButton work={work} close={close} />
        </div>
      </form>
    </Dialog>
  );
}

/** Closes the dialog; while jobs are worked on, stops after the present one. */
function LeaveButton({
  work,
  close,
}: {
  readonly work: ReturnType<typeof useEach>;
  readonly close: () => void;
}) {
  return (
    <button type="button" onClick={work.isBusy ? work.stop : close}>
      {work.isBusy ? 'Stop' : 'Leave them'}
    </button>
  );
}

/** Where to look before these are sent again. */
function Doubtful({ jobs }: { readonly jobs: readonly PrintJob[] }) {
  return (
    <>
      <p>
        {jobs.length === 1 ? 'One of them' : `${jobs.length} of them`} may have been printed. Look in the tray
        and the queue of the printer for:
      </p>
      <ul className="chosen-jobs">
        {jobs.map(({ job_id, attempt_count, title, printer_name, computer_name }) => (
          <li key={job_id}>
            <Text text={title ?? job_id} /> on <Text text={printer_name} /> of <Text text={computer_name} />,
            named <code>{`svc:${job_id}:${attempt_count}`}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

function Rest({ left }: { readonly left: number }) {
  if (left === 0) return null;
  return (
    <p className="quiet">{left === 1 ? 'One chosen job stays' : `${left} chosen jobs stay`} as they are.</p>
  );
}

const countOf = (jobs: readonly unknown[]) => (jobs.length === 1 ? '1 job' : `${jobs.length} jobs`);
