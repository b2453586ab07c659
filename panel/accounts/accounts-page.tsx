import { useState } from 'react';
import type { OperatedAccount } from '../../sdk/src/generated/operator.js';
import { useRead } from '../api/reads.js';
import { Page } from '../app/page.js';
import { LinkDialog } from '../look/dialogs.js';
import { Action, Empty, Foreign, Read, Status, Table, Time } from '../look/parts.js';
import type { Tone } from '../job/verdict.js';
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
  const open = (
    <Action main onClick={() => setOpens(true)}>
      Open an account…
    </Action>
  );
  return (
    <Page title="Accounts" actions={open}>
      <Read of={accounts}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty text="No account yet." />
          ) : (
            <AccountTable accounts={items} total={total} onLink={setLink} />
          )
        }
      </Read>
      {opens && <OpenAccount onClose={() => setOpens(false)} />}
      {link && <LinkDialog link={link} onStored={() => setLink(undefined)} />}
    </Page>
  );
}

interface AccountTableProps {
  readonly accounts: readonly OperatedAccount[];
  readonly total: number;
  readonly onLink: (url: string) => void;
}

function AccountTable({ accounts, total, onLink }: AccountTableProps) {
  return (
    <Table
      caption={
        total > accounts.length ? `The newest ${accounts.length} of ${total} accounts` : 'Newest first'
      }
      columns={['Name', 'Status', 'Jobs a month', 'Opened', '']}
    >
      {accounts.map((account) => (
        <tr key={account.account_id}>
          <th scope="row">
            <Foreign text={account.name} /> <code>{account.slug}</code>
          </th>
          <td data-label="Status">
            <Status tone={TONES[account.status]} word={account.status} />
          </td>
          <td data-label="Jobs a month">{account.plan.jobs_per_month ?? 'no limit'}</td>
          <td data-label="Opened">
            <Time at={account.created_at} />
          </td>
          <td>{account.status !== 'closed' && <AccountActions account={account} onLink={onLink} />}</td>
        </tr>
      ))}
    </Table>
  );
}
