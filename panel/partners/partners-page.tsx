import { useState, type FormEvent } from 'react';
import { Link } from 'wouter';
import type { Partner } from '../../sdk/src/generated/operator.js';
import { useChange, useRead } from '../api/reads.js';
import { Page } from '../app/page.js';
import { Dialog, FormButtons } from '../look/dialogs.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Action, Empty, Time } from '../look/parts.js';

const NEWEST = { limit: 1_000, offset: 0 } as const;

export const usePartners = () => useRead('partners', 'listPartners', { query: NEWEST });

const COLUMNS: readonly DataColumn<Partner>[] = [
  {
    ...{ id: 'name', header: 'Name', width: 180, grow: 3 },
    cell: ({ partner_id, name, partner }) => (
      <>
        <Link href={`/partners/${partner_id}`}>
          <bdi>{name}</bdi>
        </Link>{' '}
        <code className="quiet">{partner}</code>
      </>
    ),
  },
  {
    ...{ id: 'created', header: 'Created', width: 130, priority: 2 },
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    ...{ id: 'id', header: 'Id', width: 320, priority: 4 },
    cell: ({ partner_id }) => <code>{partner_id}</code>,
  },
];

/** Who connects accounts over the Partner API. */
export function PartnersPage() {
  const partners = usePartners();
  const [creates, setCreates] = useState(false);
  const { items, total } = partners.data ?? { items: [], total: 0 };
  const create = (
    <Action main onClick={() => setCreates(true)}>
      Create a partner…
    </Action>
  );
  return (
    <Page title="Partners" actions={create}>
      <DataTable
        caption={total > items.length ? `The newest ${items.length} of ${total} partners` : 'Newest first'}
        columns={COLUMNS}
        rows={partners.data?.items}
        reading={partners}
        idOf={({ partner_id }) => partner_id}
        empty={
          <Empty text="No partner yet. A partner connects many accounts with one credential.">{create}</Empty>
        }
      />
      {creates && <CreatePartner onClose={() => setCreates(false)} />}
    </Page>
  );
}

function CreatePartner({ onClose }: { readonly onClose: () => void }) {
  const create = useChange('createPartner', 'partners');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    create.mutate({ body: { name } }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Create a partner" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" required maxLength={120} />
        </label>
        <FormButtons action="Create" disabled={create.isPending} error={create.error} onClose={onClose} />
      </form>
    </Dialog>
  );
}
