import { useState, type FormEvent } from 'react';
import type { Computer, Printer } from '../../sdk/src/generated/integration.js';
import type { StuckPrinter } from '../../sdk/src/generated/panel.js';
import { useChange } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import type { Tone } from '../job/verdict.js';
import { Confirm, Dialog, FormButtons } from '../look/dialogs.js';
import { TextSettings } from './text-settings.js';
import { Action, Foreign, Problem, Status, Table, Time } from '../look/parts.js';

const COMPUTER_TONES: Readonly<Record<Computer['status'], Tone>> = {
  pending: 'waiting',
  online: 'done',
  offline: 'failed',
  disabled: 'off',
  revoked: 'off',
};
const PRINTER_TONES: Readonly<Record<Printer['status'], Tone>> = {
  online: 'done',
  offline: 'failed',
  disabled: 'off',
  removed: 'off',
};

interface ComputerBoxProps {
  readonly computer: Computer;
  readonly printers: readonly Printer[];
  readonly waitingOf: (printer: Printer) => number;
  /** When its credential ends, if that is within 14 days or past. */
  readonly credentialEnds: string | undefined;
  /** Printers of the account whose spooler makes no progress. */
  readonly stuck: readonly StuckPrinter[];
}

/** A computer with its printers. */
export function ComputerBox({ computer, printers, waitingOf, credentialEnds, stuck }: ComputerBoxProps) {
  const { computer_id, name, status, last_seen_at, agent_version, operating_system } = computer;
  return (
    <section className="box stack" aria-labelledby={`computer-${computer_id}`}>
      <div className="row">
        <h2 id={`computer-${computer_id}`}>
          <bdi>{name}</bdi>
        </h2>
        <Status tone={COMPUTER_TONES[status]} word={status} />
        <ComputerActions computer={computer} />
      </div>
      <p className="quiet">
        Last seen <Time at={last_seen_at} /> · Agent <Foreign text={agent_version} /> ·{' '}
        <Foreign text={operating_system} />
      </p>
      {credentialEnds && (
        <p role="status">
          The credential ends: <Time at={credentialEnds} exact />. Start the Agent before then, or connect the
          computer again.
        </p>
      )}
      {printers.length === 0 ? (
        <p className="quiet">No printers.</p>
      ) : (
        <Table caption="Printers" columns={['Name', 'Status', 'Driver and port', 'Waiting jobs', '']}>
          {printers.map((printer) => (
            <PrinterRow
              key={printer.printer_id}
              printer={printer}
              waiting={waitingOf(printer)}
              stuck={stuck.find(({ printer_id }) => printer_id === printer.printer_id)}
            />
          ))}
        </Table>
      )}
    </section>
  );
}

function ComputerActions({ computer: { computer_id, name, status } }: { readonly computer: Computer }) {
  const missingRole = useMissingRole('computers:write');
  const params = { computer_id };
  const disable = useChange('disableComputer', 'computers', 'printers');
  const enable = useChange('enableComputer', 'computers', 'printers');
  const revoke = useChange('revokeComputer', 'computers', 'printers');
  const [asks, setAsks] = useState(false);
  if (status === 'revoked') return null;
  return (
    <>
      {status === 'disabled' ? (
        <Action missingRole={missingRole} onClick={() => enable.mutate({ params })}>
          Enable
        </Action>
      ) : (
        <Action missingRole={missingRole} onClick={() => disable.mutate({ params })}>
          Disable
        </Action>
      )}
      <Action missingRole={missingRole} onClick={() => setAsks(true)}>
        Revoke…
      </Action>
      {[disable.error, enable.error].map((error, n) => error && <Problem key={n} error={error} />)}
      {asks && (
        <Confirm
          title="Revoke the computer"
          action="Revoke"
          error={revoke.error}
          onConfirm={() => revoke.mutate({ params }, { onSuccess: () => setAsks(false) })}
          onClose={() => setAsks(false)}
        >
          <bdi>{name}</bdi> is refused at once and prints nothing more. Only a new enrolment brings it back.
        </Confirm>
      )}
    </>
  );
}

interface PrinterRowProps {
  readonly printer: Printer;
  readonly waiting: number;
  readonly stuck: StuckPrinter | undefined;
}

function PrinterRow({ printer, waiting, stuck }: PrinterRowProps) {
  const missingRole = useMissingRole('panel:printers');
  const { printer_id, name, driver, port, status, enabled, is_default } = printer;
  const update = useChange('updatePrinter', 'printers');
  const [renames, setRenames] = useState(false);
  const [setsText, setSetsText] = useState(false);
  const params = { printer_id };
  return (
    <tr>
      <th scope="row">
        <Foreign text={name} /> {is_default && <span className="quiet">(default)</span>}
      </th>
      <td data-label="Status">
        <Status tone={PRINTER_TONES[status]} word={status} />
        {stuck && (
          <p>
            Stuck since <Time at={stuck.since} />: <Foreign text={stuck.reason} />
          </p>
        )}
      </td>
      <td data-label="Driver and port">
        <Foreign text={driver} /> <Foreign text={port} />
      </td>
      <td data-label="Waiting jobs">{waiting}</td>
      <td>
        <div className="row">
          <Action
            missingRole={missingRole}
            onClick={() => update.mutate({ params, body: { enabled: !enabled } })}
          >
            {enabled ? 'Disable' : 'Enable'}
          </Action>
          <Action missingRole={missingRole} onClick={() => setRenames(true)}>
            Rename…
          </Action>
          <Action missingRole={missingRole} onClick={() => setSetsText(true)}>
            Text…
          </Action>
        </div>
        {renames && <Rename printer={printer} onClose={() => setRenames(false)} />}
        {setsText && <TextSettings printer={printer} onClose={() => setSetsText(false)} />}
        {update.error && <Problem error={update.error} />}
      </td>
    </tr>
  );
}

function Rename({ printer, onClose }: { readonly printer: Printer; readonly onClose: () => void }) {
  const update = useChange('updatePrinter', 'printers');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const display_name = String(new FormData(event.currentTarget).get('name')).trim();
    update.mutate(
      { params: { printer_id: printer.printer_id }, body: { display_name } },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog title="Rename the printer" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" maxLength={180} defaultValue={printer.name} />
          <small>Empty: the name that the computer gives it</small>
        </label>
        <FormButtons action="Rename" error={update.error} onClose={onClose} />
      </form>
    </Dialog>
  );
}
