import { useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import type { PanelEvent } from '../../sdk/src/generated/panel.js';
import { useChange, useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { Dialog, FormButtons } from '../look/dialogs.js';
import { Action, Foreign } from '../look/parts.js';
import { PrinterOptions } from '../printer/printer-options.js';
import { StandsStill } from '../printer/stands-still.js';

const ONLINE = { limit: 100, status: 'online' } as const;

interface ReprintProps {
  readonly job: PrintJob;
  readonly isGone: boolean;
}

/** Prints the kept document again as a new job. */
export function Reprint({ job, isGone }: ReprintProps) {
  const [key, setKey] = useState<string>();
  return (
    <>
      <Action
        missingRole={useMissingRole('jobs:create')}
        why={isGone ? 'the document is no longer kept' : undefined}
        onClick={() => setKey(crypto.randomUUID())}
      >
        Reprint as a new job…
      </Action>
      {key && <ReprintDialog job={job} idempotencyKey={key} onClose={() => setKey(undefined)} />}
    </>
  );
}

interface DialogProps {
  readonly job: PrintJob;
  /** Made when the dialog opens, so a second click is no second job. */
  readonly idempotencyKey: string;
  readonly onClose: () => void;
}

function ReprintDialog({ job, idempotencyKey, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  const printers = useRead('printers', 'listPrinters', { query: ONLINE });
  const reprint = useChange('reprintPrintJob', 'jobs', 'overview');
  const [to, setTo] = useState(job.printer_id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const call = { params: { job_id: job.job_id }, body: { printer_id: to }, idempotencyKey };
    reprint.mutate(call, { onSuccess: ({ job_id }) => navigate(`/jobs/${job_id}`) });
  };
  const { items = [], total = Infinity } = printers.data ?? {};
  const others = items.filter(({ printer_id }) => printer_id !== job.printer_id);
  const printer = items.find(({ printer_id }) => printer_id === to);
  const isOffline = total === items.length && total === others.length;
  return (
    <Dialog title="Reprint" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>
          A new job prints the document of <Foreign text={job.title ?? job.job_id} /> once more, with the same
          copies and options.
        </p>
        {!job.is_final && job.status !== 'failed' && (
          <p className="box notice">This job has not ended: the document may then be printed twice.</p>
        )}
        <label className="field">
          Printer
          <select value={to} onChange={(event) => setTo(event.target.value)}>
            <option value={job.printer_id}>
              {`${job.printer_name ?? 'the same'}, as before${isOffline ? ': not ready' : ''}`}
            </option>
            <PrinterOptions printers={others} chosen={to} />
          </select>
          {printer && <StandsStill printer={printer} />}
        </label>
        <FormButtons action="Reprint" disabled={reprint.isPending} error={reprint.error} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** The job whose document this one prints again, and those that print its own again. */
export function Lineage({
  job: { reprint_of },
  events,
}: {
  readonly job: PrintJob;
  readonly events: readonly PanelEvent[];
}) {
  const reprints = events.flatMap(({ type, data }) =>
    type === 'JobReprinted' ? [String((data as { reprintId: string }).reprintId)] : [],
  );
  return (
    <>
      {reprint_of && (
        <>
          <dt>Reprint of</dt>
          <dd>
            <Link href={`/jobs/${reprint_of}`}>
              <code>{reprint_of}</code>
            </Link>
          </dd>
        </>
      )}
      {reprints.length > 0 && (
        <>
          <dt>Reprints</dt>
          <dd>
            {reprints.map((id) => (
              <div key={id}>
                <Link href={`/jobs/${id}`}>
                  <code>{id}</code>
                </Link>
              </div>
            ))}
          </dd>
        </>
      )}
    </>
  );
}
