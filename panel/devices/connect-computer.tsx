import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Computer } from '../../sdk/src/generated/integration.js';
import { addressOf, agentPackages, type AgentPackage } from '../api/client.js';
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
  const packages = useQuery({ queryKey: ['agent-packages'], queryFn: agentPackages });
  return (
    <Dialog title="Connect a computer" onClose={onClose} stays>
      {error && <Problem error={error} />}
      {data && packages.isFetched && !found && (
        <>
          <Commands packages={packages.data ?? []} token={data.enrollment_token} />
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

interface CommandsProps {
  /** Of the Agent, as this service offers them. */
  readonly packages: readonly AgentPackage[];
  readonly token: string;
}

/** One command for each system; without a package, those for a folder that is on the computer already. */
function Commands({ packages, token }: CommandsProps) {
  const url = addressOf('');
  const ofWindows = packages.find(({ name }) => name === 'rps-agent.msi');
  const ofDebian = packages.find(({ name }) => name === 'rps-agent.deb');
  return (
    <>
      {ofWindows ? (
        <>
          <p>
            On Windows, at a command prompt; Windows asks for an administrator. It downloads and installs{' '}
            <Download of={ofWindows} />:
          </p>
          <Command text={`msiexec /i ${ofWindows.url} /passive URL=${url} TOKEN=${token}`} />
        </>
      ) : (
        <>
          <p>On Windows, in the folder of the Agent, in a command prompt opened as administrator:</p>
          <Command text={`set "SVC_ENROLLMENT_TOKEN=${token}" && rps-agent.cmd install --url ${url}`} />
          <p>The same in PowerShell:</p>
          <Command text={`$env:SVC_ENROLLMENT_TOKEN='${token}'; .\\rps-agent.cmd install --url ${url}`} />
        </>
      )}
      {ofDebian && (
        <>
          <p>
            On Debian and Ubuntu, for the printers of CUPS, with <Download of={ofDebian} />:
          </p>
          <Command
            text={
              `curl -fsSO ${ofDebian.url} && sudo apt-get install -y ./${ofDebian.name} && ` +
              `echo ${token} | sudo rps-agent connect ${url}`
            }
          />
        </>
      )}
      <p>Elsewhere, in a folder of this project; copies are written to ./printed:</p>
      <Command text={`SVC_ENROLLMENT_TOKEN=${token} npm run agent -- --url ${url} --virtual ./printed`} />
    </>
  );
}

function Download({ of: { name, url, bytes } }: { readonly of: AgentPackage }) {
  return (
    <>
      <a href={url} download>
        {name}
      </a>{' '}
      ({Math.ceil(bytes / 1e6)} MB)
    </>
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
