import { useState, type FormEvent } from 'react';
import type { CreatePanelKeyBody, PanelKey } from '../../sdk/src/generated/panel.js';
import { useChange, useRead } from '../api/reads.js';
import { useMissingRole, useSession } from '../api/session.js';
import { Page } from '../app/page.js';
import { Confirm, Dialog, FormButtons, SecretDialog } from '../look/dialogs.js';
import { Action, Empty, Foreign, Read, Status, Table, Time } from '../look/parts.js';
import { ALL_SCOPES, PRESETS } from './presets.js';

export function KeysPage() {
  const missingRole = useMissingRole('panel:keys');
  if (missingRole)
    return (
      <Page title="Keys">
        <Empty text={`Keys: needs the role ${missingRole}.`} />
      </Page>
    );
  return <OwnKeys />;
}

function OwnKeys() {
  const keys = useRead('keys', 'listKeys');
  const [creates, setCreates] = useState(false);
  const [secret, setSecret] = useState<string>();
  const create = (
    <Action main onClick={() => setCreates(true)}>
      Create a key
    </Action>
  );
  return (
    <Page title="Keys" actions={create}>
      <Read of={keys}>
        {({ items }) => (items.length === 0 ? <Empty text="No key yet." /> : <KeyTable keys={items} />)}
      </Read>
      {creates && (
        <CreateKey
          onClose={() => setCreates(false)}
          onCreated={(created) => {
            setCreates(false);
            setSecret(created);
          }}
        />
      )}
      {secret && (
        <SecretDialog
          title="The new key"
          secret={secret}
          hint="It is shown this once. Store it where only your backend can read it."
          onStored={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}

function KeyTable({ keys }: { readonly keys: readonly PanelKey[] }) {
  return (
    <Table
      caption="API keys, newest first"
      columns={['Name', 'Status', 'Scopes', 'Created', 'Last used', 'Expires', '']}
    >
      {keys.map((key) => (
        <KeyRow key={key.key_id} apiKey={key} />
      ))}
    </Table>
  );
}

function KeyRow({ apiKey }: { readonly apiKey: PanelKey }) {
  const revoke = useChange('revokeKey', 'keys', 'overview');
  const [asks, setAsks] = useState(false);
  const { key_id, name, last4, status, scopes, created_at, created_by, last_used_at, expires_at } = apiKey;
  return (
    <tr>
      <th scope="row">
        <Foreign text={name ?? 'without a name'} /> <code>…{last4}</code>
      </th>
      <td data-label="Status">
        {status === 'active' ? <Status tone="done" word="active" /> : <Status tone="off" word="revoked" />}
      </td>
      <td data-label="Scopes">{scopes.join(', ')}</td>
      <td data-label="Created">
        <Time at={created_at} /> by <Foreign text={created_by.name} />
      </td>
      <td data-label="Last used">{last_used_at ? <Time at={last_used_at} /> : 'never'}</td>
      <td data-label="Expires">{expires_at ? <Time at={expires_at} /> : 'never'}</td>
      <td>
        {status === 'active' && <Action onClick={() => setAsks(true)}>Revoke…</Action>}
        {asks && (
          <Confirm
            title="Revoke the key"
            action="Revoke"
            error={revoke.error}
            onConfirm={() => revoke.mutate({ params: { key_id } }, { onSuccess: () => setAsks(false) })}
            onClose={() => setAsks(false)}
          >
            Programs that use <Foreign text={name ?? `…${last4}`} /> are refused at once. This is final.
          </Confirm>
        )}
      </td>
    </tr>
  );
}

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onCreated: (secret: string) => void;
}

function CreateKey({ onClose, onCreated }: CreateKeyProps) {
  const create = useChange('createKey', 'keys', 'overview');
  const own = useSession().scopes;
  const [chosen, setChosen] = useState<readonly string[]>(PRESETS['First integration']!);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const expires = String(form.get('expires') ?? '');
    const body = {
      name: String(form.get('name')).trim(),
      scopes: chosen as CreatePanelKeyBody['scopes'],
      ...(expires !== '' && { expires_at: new Date(expires).toISOString() }),
    };
    create.mutate({ body }, { onSuccess: ({ api_key }) => onCreated(api_key) });
  };
  const toggle = (scope: string) =>
    setChosen(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope]);
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" required maxLength={120} />
          <small>What uses it, as in Till 1</small>
        </label>
        <fieldset>
          <legend>Scopes</legend>
          <div className="row">
            {Object.entries(PRESETS).map(([name, scopes]) => (
              <button
                key={name}
                type="button"
                className="plain"
                onClick={() => setChosen(scopes.filter((scope) => own.includes(scope)))}
              >
                {name}
              </button>
            ))}
          </div>
          {ALL_SCOPES.filter((scope) => own.includes(scope)).map((scope) => (
            <div key={scope}>
              <label>
                <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
                {scope}
              </label>
            </div>
          ))}
        </fieldset>
        <label className="field">
          Expires
          <input name="expires" type="datetime-local" />
          <small>Empty: never</small>
        </label>
        <FormButtons
          action="Create"
          disabled={chosen.length === 0 || create.isPending}
          error={create.error}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
