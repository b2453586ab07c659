import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { JobExplanation } from '../../sdk/src/generated/integration.js';
import type { LateJob, Printer, PrinterQueue } from '../../sdk/src/generated/panel.js';
import { RECENT, useChange, useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { isNotFound, NoSuch } from '../app/no-such.js';
import { Page } from '../app/page.js';
import { PrinterActions, printerStatus } from '../devices/printer-table.js';
import { ExplanationView, NextSteps } from '../job/explanation-view.js';
import { Action, Foreign, Problem, Read, Status, Time } from '../look/parts.js';
import { HeldUp } from './held-up.js';
import { ClearQueue, MoveQueue } from './queue-dialogs.js';
import { QueueTable } from './queue-table.js';

/** One printer: what it does now, what waits for it, and what a person may do about it. */
export function PrinterPage({ printerId }: { readonly printerId: string }) {
  const [cursor, setCursor] = useState<string>();
  const query = { limit: 50, ...(cursor && { cursor }) };
  const given = { params: { printer_id: printerId }, query };
  const queue = useRead('queue', 'getPrinterQueue', given, RECENT);
  const next = useNext(queue.data);
  const [isShown, setIsShown] = useState(false);
  if (!isShown && queue.data && !next.isLoading) setIsShown(true);
  if (isNotFound(queue.error)) return <NoSuch what="printer" href="/devices" list="All devices" />;
  const printer = queue.data?.printer;
  return (
    <Page title="Printer" subject={printer?.name} actions={printer && <PrinterActions printer={printer} />}>
      {/* Shown together with what hinders the next job, so that nothing moves when that arrives. */}
      <Read of={isShown ? queue : { ...queue, data: undefined }}>
        {({ printer: shown, waiting, at_agent, held_up_by, items, next_cursor }) => (
          <>
            <Now
              printer={shown}
              waiting={waiting}
              atAgent={at_agent}
              heldUpBy={held_up_by}
              next={next.explanation}
            />
            <div className="with-side">
              <QueueTable jobs={items} cursor={cursor} next={next_cursor ?? undefined} onTurn={setCursor} />
              <Facts printer={shown} />
            </div>
          </>
        )}
      </Read>
    </Page>
  );
}

/** Why the job that holds the printer up has not printed, else the next one of this part of the queue. */
function useNext(queue: PrinterQueue | undefined) {
  const jobId = queue?.held_up_by?.job_id ?? queue?.items[0]?.job_id;
  const { isLoading, data } = useRead(
    'queue',
    'explainPrintJob',
    { params: { job_id: jobId ?? '' } },
    { enabled: jobId !== undefined, placeholderData: keepPreviousData },
  );
  return { isLoading, explanation: jobId === undefined ? undefined : data };
}

interface NowProps {
  readonly printer: Printer;
  readonly waiting: number;
  readonly atAgent: number;
  readonly heldUpBy: LateJob | null;
  readonly next: JobExplanation | undefined;
}

function Now({ printer, waiting, atAgent, heldUpBy, next }: NowProps) {
  const { computer_name, last_seen_at, paused } = printer;
  return (
    <section className="box stack" aria-label="State">
      <div className="row">
        <Status {...printerStatus(printer)} />
        <span className="quiet">
          on <Foreign text={computer_name} />, seen <Time at={last_seen_at} />
        </span>
      </div>
      {heldUpBy && (
        <p className="verdict">
          <HeldUp job={heldUpBy} />
        </p>
      )}
      {next?.verdict === 'blocked' && (!paused || heldUpBy) && <ExplanationView {...next} />}
      {next && next.verdict !== 'blocked' && heldUpBy && <NextSteps {...next} />}
      <p className={heldUpBy ? undefined : 'verdict'}>
        {waiting === 0 ? 'Nothing waits' : `${jobs(waiting)} ${waiting === 1 ? 'waits' : 'wait'}`}
        {atAgent > 0 && `, ${jobs(atAgent)} at the Agent`}.
        {paused && ' The printer is paused: new jobs are taken and wait.'}
      </p>
      {waiting > 0 && (
        <p className="quiet small">
          Waiting: queued, leased or tried again later. At the Agent: accepted or in the spooler.
        </p>
      )}
      <Controls printer={printer} waiting={waiting} />
    </section>
  );
}

function Controls({ printer, waiting }: Pick<NowProps, 'printer' | 'waiting'>) {
  const { printer_id, paused = false } = printer;
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'clear' | 'move'>();
  const update = useChange('updatePrinter', 'printers');
  const test = useChange('testPrinter', 'jobs', 'printers');
  const maySet = useMissingRole('panel:printers');
  const mayCreate = useMissingRole('jobs:create');
  const mayCancel = useMissingRole('jobs:cancel');
  const close = () => setDialog(undefined);
  return (
    <>
      <div className="row">
        <Action
          missingRole={maySet}
          busy={update.isPending}
          onClick={() => update.mutate({ params: { printer_id }, body: { paused: !paused } })}
        >
          {paused ? 'Resume' : 'Pause'}
        </Action>
        <Action
          missingRole={mayCreate}
          why={printer.status === 'online' ? undefined : 'it is not ready'}
          busy={test.isPending}
          onClick={() =>
            test.mutate(
              { params: { printer_id } },
              { onSuccess: ({ job_id }) => navigate(`/jobs/${job_id}`) },
            )
          }
        >
          Print a test page
        </Action>
        <Action missingRole={mayCancel} busy={waiting === 0} onClick={() => setDialog('move')}>
          Move…
        </Action>
        <Action
          missingRole={mayCancel}
          why={waiting === 0 ? 'nothing waits' : undefined}
          onClick={() => setDialog('clear')}
        >
          Clear…
        </Action>
      </div>
      {[update.error, test.error].map((error, n) => error && <Problem key={n} error={error} />)}
      {dialog === 'clear' && <ClearQueue printer={printer} waiting={waiting} onClose={close} />}
      {dialog === 'move' && <MoveQueue printer={printer} onClose={close} />}
    </>
  );
}

function Facts({ printer }: { readonly printer: Printer }) {
  const { printer_code, driver, port, capabilities, text_encoding, text_mode } = printer;
  return (
    <section className="stack" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <dl className="facts">
        <dt>Code</dt>
        <dd>
          <code>{printer_code}</code>
        </dd>
        <dt>Driver</dt>
        <dd>
          <Foreign text={driver} />
        </dd>
        <dt>Port</dt>
        <dd>
          <Foreign text={port} />
        </dd>
        <dt>Takes</dt>
        <dd>
          <Foreign text={capabilities?.content_types.join(', ')} />
        </dd>
        <dt>Text</dt>
        <dd>
          <Foreign text={[text_encoding, text_mode].filter(Boolean).join(', ')} />
        </dd>
      </dl>
    </section>
  );
}

const jobs = (count: number) => `${count} ${count === 1 ? 'job' : 'jobs'}`;
