import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import type { InviteMemberBody, OperatedAccount } from '../../sdk/src/generated/operator.js';
import { useChange } from '../api/reads.js';
import { useSessionState } from '../api/session.js';
import { Dialog, Failed, FormButtons } from '../look/dialogs.js';
import { ActionMenu } from '../look/menu.js';
import { Foreign } from '../look/parts.js';

interface ActionsProps {
  readonly account: OperatedAccount;
  readonly onLink: (url: string) => void;
}

/** What an operator does with an account that is not closed. */
export function AccountActions({ account, onLink }: ActionsProps) {
  const params = { id: account.account_id };
  const suspend = useChange('suspendAccount', 'accounts');
  const resume = useChange('resumeAccount', 'accounts');
  const visit = useChange('visitAccount');
  const { changed } = useSessionState();
  const [, navigate] = useLocation();
  const see = () => {
    navigate('/');
    changed();
  };
  const [asks, setAsks] = useState<'plan' | 'invite' | 'close'>();
  const close = () => setAsks(undefined);
  return (
    <>
      <ActionMenu
        label={`Actions for ${account.slug}`}
        actions={[
          {
            label: 'See as its viewers do',
            onSelect: () => visit.mutate({ params: { account_id: account.account_id } }, { onSuccess: see }),
          },
          account.status === 'active'
            ? { label: 'Suspend', onSelect: () => suspend.mutate({ params }) }
            : { label: 'Resume', onSelect: () => resume.mutate({ params }) },
          { label: 'Plan…', onSelect: () => setAsks('plan') },
          { label: 'Invite…', onSelect: () => setAsks('invite') },
          { label: 'Close…', onSelect: () => setAsks('close'), danger: true },
        ]}
      />
      <Failed of={suspend} />
      <Failed of={resume} />
      <Failed of={visit} />
      {asks === 'plan' && <ChangePlan account={account} onClose={close} />}
      {asks === 'invite' && <Invite account={account} onClose={close} onLink={onLink} />}
      {asks === 'close' && <CloseAccount account={account} onClose={close} />}
    </>
  );
}

interface DialogProps {
  readonly account: OperatedAccount;
  readonly onClose: () => void;
}

function ChangePlan({ account, onClose }: DialogProps) {
  const change = useChange('changePlan', 'accounts');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const limit = String(new FormData(event.currentTarget).get('jobs')).trim();
    const body = { jobs_per_month: limit === '' ? null : Number(limit) };
    change.mutate({ params: { id: account.account_id }, body }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Change the plan" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Jobs a month
          <input name="jobs" type="number" min={0} defaultValue={account.plan.jobs_per_month ?? ''} />
          <small>Empty: no limit</small>
        </label>
        <FormButtons error={change.error} action="Change" onClose={onClose} />
      </form>
    </Dialog>
  );
}

function Invite({ account, onClose, onLink }: DialogProps & Pick<ActionsProps, 'onLink'>) {
  const invite = useChange('inviteMemberOf');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body: InviteMemberBody = {
      name: String(form.get('name')).trim().toLowerCase(),
      role: form.get('role') as InviteMemberBody['role'],
    };
    const shown = ({ link }: { readonly link: { readonly url: string } }) => (onClose(), onLink(link.url));
    invite.mutate({ params: { id: account.account_id }, body }, { onSuccess: shown });
  };
  return (
    <Dialog title="Invite a member" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" required maxLength={40} spellCheck={false} />
        </label>
        <label className="field">
          Role
          <select name="role" defaultValue="owner">
            <option>viewer</option>
            <option>developer</option>
            <option>owner</option>
          </select>
        </label>
        <FormButtons error={invite.error} action="Invite" onClose={onClose} />
      </form>
    </Dialog>
  );
}

function CloseAccount({ account, onClose }: DialogProps) {
  const close = useChange('closeAccount', 'accounts');
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    close.mutate({ params: { id: account.account_id }, body: {} }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Close the account" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>
          This is final: the keys, members and computers of <Foreign text={account.name} /> are refused, and
          its waiting jobs are cancelled.
        </p>
        <label className="field">
          Type {account.slug}
          <input value={typed} onChange={(event) => setTyped(event.target.value)} spellCheck={false} />
        </label>
        <FormButtons
          error={close.error}
          action="Close for good"
          disabled={typed !== account.slug}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
