import { useState, type FormEvent } from 'react';
import type { CreateCredentialBody, PartnerCredential } from '../../sdk/src/generated/operator.js';
import { useChange, useRead } from '../api/reads.js';
import { isNotFound, NoSuch } from '../app/no-such.js';
import { Page } from '../app/page.js';
import { Choices, presetOf, Presets } from '../keys/choices.js';
import { Confirm, Dialog, FormButtons, SecretDialog } from '../look/dialogs.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Action, Empty, Status, Time } from '../look/parts.js';
import { usePartners } from './partners-page.js';

/** What each scope of the Partner API allows. */
const SCOPES: Readonly<Record<string, string>> = {
  'diagnostics:read': 'Ask whether the credential works.',
  'accounts:write': 'Open and close accounts.',
  'devices:read': 'See computers and whether they are online.',
  'devices:write': 'Connect and disconnect computers.',
  'printers:read': 'See printers and what they can do.',
  'printers:write': 'Rename printers, and switch them on and off.',
  'jobs:read': 'See jobs and their history.',
  'jobs:write': 'Send documents to printers, cancel jobs and print them again.',
};
const ALL = Object.keys(SCOPES);
const OF_TEST = ['diagnostics:read'];
const PRESETS = {
  Everything: ALL,
  'Read only': ALL.filter((scope) => scope.endsWith(':read')),
} as const;

/** The credentials of one partner. */
export function PartnerPage({ partnerId }: { readonly partnerId: string }) {
  const partner = usePartners().data?.items.find(({ partner_id }) => partner_id === partnerId);
  const credentials = useRead('partners', 'listPartnerCredentials', { params: { id: partnerId } });
  const [creates, setCreates] = useState(false);
  const [secret, setSecret] = useState<string>();
  const create = (
    <Action main onClick={() => setCreates(true)}>
      Create a credential…
    </Action>
  );
  if (isNotFound(credentials.error)) return <NoSuch what="partner" href="/partners" list="All partners" />;
  return (
    <Page title="Partner" subject={partner?.name} actions={create}>
      <DataTable
        caption="Credentials, newest first; they do not expire"
        columns={COLUMNS}
        rows={credentials.data?.items}
        reading={credentials}
        idOf={({ credential_id }) => credential_id}
        empty={<Empty text="No credential yet. The partner's servers need one.">{create}</Empty>}
      />
      {creates && (
        <CreateCredential
          partnerId={partnerId}
          onClose={() => setCreates(false)}
          onCreated={(created) => {
            setCreates(false);
            setSecret(created);
          }}
        />
      )}
      {secret && (
        <SecretDialog
          title="The new credential"
          secret={secret}
          hint="It is shown this once. Give it to the partner over a channel that you trust."
          onStored={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}

const COLUMNS: readonly DataColumn<PartnerCredential>[] = [
  {
    ...{ id: 'last4', header: 'Credential', width: 140, grow: 1 },
    cell: ({ kind, last4 }) => (
      <>
        {kind} <code className="quiet">…{last4}</code>
      </>
    ),
  },
  {
    ...{ id: 'status', header: 'Status', width: 110 },
    cell: ({ status }) => <Status tone={status === 'active' ? 'done' : 'off'} word={status} />,
  },
  {
    ...{ id: 'scopes', header: 'Scopes', width: 140, grow: 2, priority: 3 },
    cell: ({ scopes }) => presetOf(PRESETS, scopes) ?? scopes.join(', '),
  },
  {
    ...{ id: 'used', header: 'Last used', width: 120, priority: 2 },
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'never'),
  },
  {
    ...{ id: 'created', header: 'Created', width: 130, priority: 4 },
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    ...{ id: 'actions', header: '', width: 110 },
    cell: (credential) => credential.status === 'active' && <Revoke credential={credential} />,
  },
];

function Revoke({ credential: { credential_id: id, last4 } }: { readonly credential: PartnerCredential }) {
  const revoke = useChange('revokePartnerCredential', 'partners');
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Action onClick={() => setAsks(true)}>Revoke…</Action>
      {asks && (
        <Confirm
          title="Revoke the credential"
          action="Revoke"
          error={revoke.error}
          onConfirm={() => revoke.mutate({ params: { id } }, { onSuccess: () => setAsks(false) })}
          onClose={() => setAsks(false)}
        >
          Servers that use the credential …{last4} are refused at once. This is final.
        </Confirm>
      )}
    </>
  );
}

interface CreateCredentialProps {
  readonly partnerId: string;
  readonly onClose: () => void;
  readonly onCreated: (secret: string) => void;
}

function CreateCredential({ partnerId, onClose, onCreated }: CreateCredentialProps) {
  const create = useChange('createPartnerCredential', 'partners');
  const [kind, setKind] = useState<CreateCredentialBody['kind']>('live');
  const [chosen, setChosen] = useState<readonly string[]>(ALL);
  const scopes = kind === 'test' ? OF_TEST : [...chosen];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = { params: { id: partnerId }, body: { kind, scopes } };
    create.mutate(given, { onSuccess: ({ credential }) => onCreated(credential) });
  };
  return (
    <Dialog title="Create a credential" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Kind
          <select value={kind} onChange={({ target }) => setKind(target.value as typeof kind)}>
            <option value="live">live</option>
            <option value="test">test: only asks whether it works</option>
          </select>
        </label>
        {kind === 'live' && (
          <fieldset>
            <legend>Scopes</legend>
            <Presets presets={PRESETS} chosen={chosen} onChange={setChosen} />
            <Choices values={Object.keys(SCOPES)} sentences={SCOPES} chosen={chosen} onChange={setChosen} />
          </fieldset>
        )}
        <FormButtons
          action="Create"
          disabled={scopes.length === 0 || create.isPending}
          error={create.error}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
