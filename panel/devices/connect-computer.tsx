import { useEffect, useRef } from 'react';
import type { Computer } from '../../sdk/src/generated/integration.js';
import { addressOf } from '../api/client.js';
import { useChange } from '../api/reads.js';
import { Dialog } from '../look/dialogs.js';
import { Copy, Problem, Time } from '../look/parts.js';

interface ConnectComputerProps {
  /** The computers before. */
  readonly known: readonly Computer[];
  readonly onClose: () => void;
}

/** A token of ten minutes in the Agent's command; the dialog says when the computer has appeared. */
export function ConnectComputer({ known, onClose }: ConnectComputerProps) {
  const { mutate, data, error } = useChange('createEnrollment');
  const before = useRef(new Set(known.map(({ computer_id }) => computer_id)));
  useEffect(() => mutate({ body: { ttl: 600 } }), [mutate]);
  const found = known.find(({ computer_id }) => !before.current.has(computer_id));
  const address = `--url ${addressOf('')}`;
  const token = data?.enrollment_token;
  return (
    <Dialog title="Connect a computer" onClose={onClose} stays>
      {error && <Problem error={error} />}
      {data && !found && (
        <>
          <p>On Windows, in the folder of the Agent, in a command prompt opened as administrator:</p>
          <Command text={`set "SVC_ENROLLMENT_TOKEN=${token}" && rps-agent.cmd install ${address}`} />
          <p>The same in PowerShell:</p>
          <Command text={`$env:SVC_ENROLLMENT_TOKEN='${token}'; .\\rps-agent.cmd install ${address}`} />
          <p>Elsewhere, in a folder of this project; copies are written to ./printed:</p>
          <Command text={`SVC_ENROLLMENT_TOKEN=${token} npm run agent -- ${address} --virtual ./printed`} />
          <p>
            <span className="quiet">
              The token works once, until <Time at={data.expires_at} exact />.
            </span>
          </p>
          <p role="status">Waiting for the computer…</p>
        </>
      )}
      {found && (
        <p role="status">
          <bdi>{found.name}</bdi> is connected.
        </p>
      )}
      <div>
        <button type="button" className="main" onClick={onClose}>
          {found ? 'Done' : 'Close'}
        </button>
      </div>
    </Dialog>
  );
}

function Command({ text }: { readonly text: string }) {
  return (
    <div className="row">
      <pre>{text}</pre>
      <Copy text={text} name="command" />
    </div>
  );
}
