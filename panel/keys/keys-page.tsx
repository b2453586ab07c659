import { useState, type FormEvent } from 'react';
import { Link } from 'wouter';
import type { CreatePanelKeyBody, PanelKey } from '../../sdk/src/generated/panel.js';
import { useChange, useRead } from '../api/reads.js';
import { useMissingRole, useSession } from '../api/session.js';
import { Page } from '../app/page.js';
import { Confirm, Dialog, FormButtons, SecretDialog } from '../look/dialogs.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Action, Empty, Foreign, Status, Text, Time } from '../look/parts.js';
import { useTicks } from '../look/use-ticks.js';
import { Choices, presetOf, Presets } from './choices.js';
import { PRESETS, SCOPES } from './presets.js';

const DAY_MS = 86_400_000;

/** As far as this person may give them. */
const presetsWithin = (own: readonly string[]) =>
  Object.fromEntries(
    Object.entries(PRESETS).map(([name, scopes]) => [name, scopes.filter((scope) => own.includes(scope))]),
  );

export function KeysPage() {
  const missingRole = useMissingRole('panel:keys');
  if (missingRole)
    return (
      <Page title="Keys">
        <Empty text={`API keys: needs the role ${missingRole}, which an owner can give you.`} />
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
      Create a key…
    </Action>
  );
  return (
    <Page title="Keys" actions={create}>
      <DataTable
        caption="API keys, newest first"
        columns={COLUMNS}
        rows={keys.data?.items}
        reading={keys}
        idOf={({ key_id }) => key_id}
        empty={<Empty text="No key yet. A program needs one to send jobs.">{create}</Empty>}
      />
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

const COLUMNS: readonly DataColumn<PanelKey>[] = [
  {
    ...{ id: 'name', header: 'Name', width: 180, grow: 2 },
    cell: ({ name, last4 }) => (
      <>
        <Text text={name ?? 'without a name'} /> <code className="quiet">…{last4}</code>
      </>
    ),
  },
  {
    ...{ id: 'status', header: 'Status', width: 110 },
    cell: ({ status, expires_at }) => <KeyStatus {...{ status, expires_at }} />,
  },
  {
    ...{ id: 'scopes', header: 'Scopes', width: 140, grow: 2, priority: 3 },
    cell: ({ scopes }) => presetOf(PRESETS, scopes) ?? scopes.join(', '),
  },
  {
    ...{ id: 'created', header: 'Created', width: 180, grow: 1, priority: 5 },
    cell: ({ created_at, created_by }) => (
      <>
        <Time at={created_at} /> by <Text text={created_by.name} />
      </>
    ),
  },
  {
    ...{ id: 'used', header: 'Last used', width: 120, priority: 2 },
    cell: ({ last_used_at }) => (last_used_at ? <LastUsed at={last_used_at} /> : 'never'),
  },
  {
    ...{ id: 'expires', header: 'Expires', width: 120, priority: 4 },
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : 'never'),
  },
  { id: 'actions', header: '', width: 110, cell: (key) => <RevokeKey apiKey={key} /> },
];

const NOTED_EVERY_MS = 60_000;

/** The service notes a use once a minute. */
function LastUsed({ at }: { readonly at: string }) {
  useTicks();
  if (Date.now() - Date.parse(at) > NOTED_EVERY_MS) return <Time at={at} />;
  return <time dateTime={at}>just now</time>;
}

/** An active key expires by itself. */
function KeyStatus({ status, expires_at }: Pick<PanelKey, 'status' | 'expires_at'>) {
  useTicks();
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now();
  const word = status === 'active' && isExpired ? 'expired' : status;
  return <Status tone={word === 'active' ? 'done' : 'off'} word={word} />;
}

function RevokeKey({ apiKey: { key_id, name, last4, status } }: { readonly apiKey: PanelKey }) {
  const revoke = useChange('revokeKey', 'keys', 'overview');
  const [asks, setAsks] = useState(false);
  if (status !== 'active') return <Link href="/account/audit">Audit</Link>;
  return (
    <>
      <Action onClick={() => setAsks(true)}>Revoke…</Action>
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
    </>
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
    const days = Number(form.get('days'));
    const body = {
      name: String(form.get('name')).trim(),
      scopes: chosen as CreatePanelKeyBody['scopes'],
      ...(days > 0 && { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() }),
    };
    create.mutate({ body }, { onSuccess: ({ api_key }) => onCreated(api_key) });
  };
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
          <Presets presets={presetsWithin(own)} chosen={chosen} onChange={setChosen} />
          <Choices
            values={Object.keys(SCOPES).filter((scope) => own.includes(scope))}
            sentences={SCOPES}
            chosen={chosen}
            onChange={setChosen}
          />
        </fieldset>
        <label className="field">
          Expires in days
          <input name="days" type="number" min={1} max={3650} />
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
