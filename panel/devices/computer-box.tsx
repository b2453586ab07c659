import { useState } from 'react';
import type { Computer, Printer } from '../../sdk/src/generated/integration.js';
import type { PrinterBehind, StuckPrinter } from '../../sdk/src/generated/panel.js';
import { useChange } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import type { Tone } from '../look/job-status.js';
import { Confirm } from '../look/dialogs.js';
import { ActionMenu } from '../look/menu.js';
import { Foreign, Problem, Status, Time } from '../look/parts.js';
import { IsBehind } from '../printer/held-up.js';
import { PrinterTable } from './printer-table.js';
import { RenameComputer } from './rename-computer.js';

const TONES: Readonly<Record<Computer['status'], Tone>> = {
  pending: 'waiting',
  online: 'done',
  offline: 'failed',
  disabled: 'off',
  revoked: 'off',
};

interface ComputerBoxProps {
  readonly computer: Computer;
  readonly printers: readonly Printer[];
  readonly waitingOf: (printer: Printer) => number;
  /** When its credential ends, if that is within 14 days or past. */
  readonly credentialEnds: string | undefined;
  /** Printers of the account whose spooler makes no progress. */
  readonly stuck: readonly StuckPrinter[];
  /** Its printers that are behind. */
  readonly behind: readonly PrinterBehind[];
}

/** A computer with its printers. */
export function ComputerBox(props: ComputerBoxProps) {
  const { computer, printers, waitingOf, credentialEnds, stuck, behind } = props;
  const { computer_id, name, status, last_seen_at, agent_version, operating_system } = computer;
  return (
    <section className="box stack" aria-labelledby={`computer-${computer_id}`}>
      <header className="page-head one-line">
        <div className="row">
          <h2 id={`computer-${computer_id}`}>
            <bdi>{name}</bdi>
          </h2>
          <Status tone={TONES[status]} word={status} />
          <span className="quiet">
            seen <Time at={last_seen_at} /> · Agent <Foreign text={agent_version} /> ·{' '}
            <Foreign text={operating_system} />
          </span>
        </div>
        <ComputerActions computer={computer} />
      </header>
      {credentialEnds && (
        <p role="status" className="box notice">
          The credential ends: <Time at={credentialEnds} exact />. Start the Agent before then, or connect the
          computer again.
        </p>
      )}
      {behind.map((printer) => (
        <p key={printer.printer_id} className="box notice">
          <IsBehind printer={printer} />
        </p>
      ))}
      <PrinterTable printers={printers} waitingOf={waitingOf} stuck={stuck} />
    </section>
  );
}

function ComputerActions({ computer: { computer_id, name, status } }: { readonly computer: Computer }) {
  const missingRole = useMissingRole('computers:write');
  const params = { computer_id };
  const disable = useChange('disableComputer', 'computers', 'printers');
  const enable = useChange('enableComputer', 'computers', 'printers');
  const revoke = useChange('revokeComputer', 'computers', 'printers');
  const [dialog, setDialog] = useState<'rename' | 'revoke'>();
  const close = () => setDialog(undefined);
  if (status === 'revoked') return null;
  const change = status === 'disabled' ? enable : disable;
  return (
    <>
      <ActionMenu
        label={`Actions for ${name}`}
        actions={[
          {
            label: status === 'disabled' ? 'Enable' : 'Disable',
            missingRole,
            onSelect: () => change.mutate({ params }),
          },
          { label: 'Rename…', missingRole, onSelect: () => setDialog('rename') },
          { label: 'Revoke…', missingRole, danger: true, onSelect: () => setDialog('revoke') },
        ]}
      />
      {[disable.error, enable.error].map((error, n) => error && <Problem key={n} error={error} />)}
      {dialog === 'rename' && <RenameComputer computerId={computer_id} name={name} onClose={close} />}
      {dialog === 'revoke' && (
        <Confirm
          title="Revoke the computer"
          action="Revoke"
          error={revoke.error}
          onConfirm={() => revoke.mutate({ params }, { onSuccess: close })}
          onClose={close}
        >
          <bdi>{name}</bdi> is refused at once and prints nothing more. Only a new enrolment brings it back.
        </Confirm>
      )}
    </>
  );
}
