import { useState, type FormEvent } from 'react';
import type { Printer } from '../../sdk/src/generated/panel.js';
import { useRead } from '../api/reads.js';
import { Confirm, Dialog, FormButtons } from '../look/dialogs.js';
import { Foreign, Read } from '../look/parts.js';
import { PrinterOptions } from './printer-options.js';
import { StandsStill } from './stands-still.js';
import { useQueueSteps, type Steps } from './use-queue-steps.js';

const ALL = { limit: 100, status: 'online' } as const;

interface ClearProps {
  readonly printer: Printer;
  readonly waiting: number;
  readonly onClose: () => void;
}

/** Asks before everything that waits is cancelled. */
export function ClearQueue({ printer, waiting: given, onClose }: ClearProps) {
  const [waiting] = useState(given);
  const clear = useQueueSteps('clearPrinterQueue', printer.printer_id);
  return (
    <Confirm
      title="Clear the queue"
      action={`Cancel ${waiting === 1 ? 'the job' : `${waiting} jobs`}`}
      error={clear.error}
      busy={clear.isPending ? `${clear.done} so far…` : undefined}
      onConfirm={() => clear.mutate({}, { onSuccess: (steps) => (tell('cancelled', steps), onClose()) })}
      onClose={onClose}
    >
      Jobs that wait for <Foreign text={printer.name} /> are cancelled. Those that its Agent has go on.
      {clear.error && ` So far ${counted(clear.done, 'cancelled')}.`}
    </Confirm>
  );
}

interface MoveProps {
  readonly printer: Printer;
  readonly onClose: () => void;
}

/** Chooses where everything that waits goes. */
export function MoveQueue({ printer, onClose }: MoveProps) {
  const move = useQueueSteps('movePrinterQueue', printer.printer_id);
  const printers = useRead('printers', 'listPrinters', { query: ALL });
  const [to, setTo] = useState('');
  const target = printers.data?.items.find(({ printer_id }) => printer_id === to);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    move.mutate(
      { to_printer_id: to },
      { onSuccess: (steps) => (tell(`moved to ${target?.name ?? 'another printer'}`, steps), onClose()) },
    );
  };
  return (
    <Dialog title="Move the queue" onClose={onClose} stays={move.isPending}>
      <form className="stack" onSubmit={submit}>
        <p>
          Jobs that wait for <Foreign text={printer.name} /> print on another printer instead. Those that its
          Agent has stay, and those that the other printer cannot print.
        </p>
        <Read of={printers}>
          {({ items }) => (
            <label className="field">
              To
              <select required value={to} onChange={(event) => setTo(event.target.value)}>
                <option value="">Choose a printer</option>
                <PrinterOptions
                  printers={items.filter(({ printer_id }) => printer_id !== printer.printer_id)}
                  chosen={to}
                />
              </select>
              {target && <StandsStill printer={target} />}
            </label>
          )}
        </Read>
        {move.error && <p>So far {counted(move.done, 'moved')}.</p>}
        <FormButtons
          action="Move"
          disabled={to === ''}
          busy={move.isPending ? `${move.done} so far…` : undefined}
          error={move.error}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** @param did as in "3 jobs were moved to Till 2" */
async function tell(did: string, { done, left }: Steps) {
  const { say } = await import('../look/toasts.js');
  say(`${counted(done, did)}${left > 0 ? `, ${left} ${left === 1 ? 'stays' : 'stay'}` : ''}`);
}

const counted = (count: number, word: string) => `${count} ${count === 1 ? 'job was' : 'jobs were'} ${word}`;
