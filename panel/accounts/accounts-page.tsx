import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { OperatedAccount } from '../../sdk/src/generated/operator.js';
import { useRead } from '../api/reads.js';
import { Page } from '../app/page.js';
import { LinkDialog } from '../look/dialogs.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Action, Empty, Status, Time } from '../look/parts.js';
import type { Tone } from '../look/job-status.js';
import { AccountActions } from './account-actions.js';
import { OpenAccount } from './open-account.js';

const NEWEST = { limit: 200, offset: 0 } as const;
const TONES: Readonly<Record<OperatedAccount['status'], Tone>> = {
  active: 'done',
  suspended: 'decision',
  closed: 'off',
};

/** All accounts of the installation. */
export function AccountsPage() {
  const accounts = useRead('accounts', 'listAccounts', { query: NEWEST });
  const [opens, setOpens] = useState(false);
  const [link, setLink] = useState<string>();
  const columns = useMemo(() => columnsOf(setLink), []);
  const { items, total } = accounts.data ?? { items: [], total: 0 };
  const open = (
    <Action main onClick={() => setOpens(true)}>
      Open an account…
    </Action>
  );
  return (
    <Page title="Accounts" actions={open}>
      <DataTable
        caption={total > items.length ? `The newest ${items.length} of ${total} accounts` : 'Newest first'}
        columns={columns}
        rows={accounts.data?.items}
        reading={accounts}
        idOf={({ account_id }) => account_id}
        empty={<Empty text="No account yet. Each has its own computers, jobs and members.">{open}</Empty>}
      />
      {opens && <OpenAccount onClose={() => setOpens(false)} />}
      {link && <LinkDialog link={link} onStored={() => setLink(undefined)} />}
    </Page>
  );
}

const columnsOf = (onLink: (url: string) => void): readonly DataColumn<OperatedAccount>[] => [
  {
    ...{ id: 'name', header: 'Name', width: 180, grow: 3 },
    cell: ({ account_id, name, slug }) => (
      <>
        <Link href={`/stream?name=account-${account_id}`}>
          <bdi>{name}</bdi>
        </Link>{' '}
        <code className="quiet">{slug}</code>
      </>
    ),
  },
  {
    ...{ id: 'status', header: 'Status', width: 130 },
    cell: ({ status }) => <Status tone={TONES[status]} word={status} />,
  },
  {
    ...{ id: 'jobs', header: 'Jobs a month', width: 120, priority: 3, align: 'end' },
    cell: ({ plan }) => plan.jobs_per_month ?? 'no limit',
  },
  {
    ...{ id: 'opened', header: 'Opened', width: 130, priority: 4 },
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    ...{ id: 'actions', header: '', width: 48 },
    cell: (account) => account.status !== 'closed' && <AccountActions account={account} onLink={onLink} />,
  },
];
