import { useMemo, useState, type FormEvent } from 'react';
import type { InviteMemberBody, MemberResource } from '../../sdk/src/generated/panel.js';
import { useChange, useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Confirm, Dialog, Failed, FormButtons, LinkDialog } from '../look/dialogs.js';
import { ActionMenu } from '../look/menu.js';
import { Action, Foreign, Text, Time } from '../look/parts.js';

const ROLES = ['viewer', 'developer', 'owner'] as const;

export const useMembers = () => useRead('members', 'listMembers');

export function Members() {
  const members = useMembers();
  const missingRole = useMissingRole('panel:members');
  const [invites, setInvites] = useState(false);
  const [link, setLink] = useState<string>();
  const columns = useMemo(() => columnsOf(setLink), []);
  const showLink = (url: string) => (setInvites(false), setLink(url));
  return (
    <section className="stack" aria-labelledby="members">
      <div className="page-head">
        <h2 id="members">Members</h2>
        <Action missingRole={missingRole} onClick={() => setInvites(true)}>
          Invite a member…
        </Action>
      </div>
      <DataTable
        caption="People who may sign in"
        captionHidden
        columns={columns}
        rows={members.data?.items}
        reading={members}
        idOf={({ member_id }) => member_id}
      />
      {invites && <Invite onClose={() => setInvites(false)} onLink={showLink} />}
      {link && <LinkDialog link={link} onStored={() => setLink(undefined)} />}
    </section>
  );
}

interface MemberProps {
  readonly member: MemberResource;
}

function columnsOf(onLink: (url: string) => void): readonly DataColumn<MemberResource>[] {
  return [
    {
      ...{ id: 'name', header: 'Name', width: 140, grow: 2 },
      cell: ({ display_name }) => <Text text={display_name} />,
    },
    {
      ...{ id: 'signs-in', header: 'Signs in as', width: 180, grow: 2, priority: 2 },
      cell: ({ sign_in_name, has_password }) => (
        <>
          <span className="mono">{sign_in_name}</span>
          {!has_password && <span className="quiet"> (no password yet)</span>}
        </>
      ),
    },
    { id: 'role', header: 'Role', width: 130, cell: (member) => <Role member={member} /> },
    {
      ...{ id: 'invited', header: 'Invited', width: 100, priority: 3 },
      cell: ({ invited_at }) => <Time at={invited_at} />,
    },
    {
      ...{ id: 'actions', header: '', width: 48 },
      cell: (member) => <MemberActions member={member} onLink={onLink} />,
    },
  ];
}

function Role({ member: { member_id, name, role } }: MemberProps) {
  const missingRole = useMissingRole('panel:members');
  const change = useChange('changeMemberRole', 'members');
  return (
    <>
      <select
        aria-label={`Role of ${name}`}
        value={role}
        disabled={missingRole !== undefined || change.isPending}
        onChange={(event) =>
          change.mutate({
            params: { member_id },
            body: { role: event.target.value as MemberResource['role'] },
          })
        }
      >
        {ROLES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <Failed of={change} />
    </>
  );
}

function MemberActions({ member, onLink }: MemberProps & { readonly onLink: (url: string) => void }) {
  const missingRole = useMissingRole('panel:members');
  const params = { member_id: member.member_id };
  const link = useChange('renewMemberLink', 'members');
  const [asks, setAsks] = useState(false);
  return (
    <>
      <ActionMenu
        label={`Actions for ${member.name}`}
        actions={[
          {
            label: 'New link',
            missingRole,
            onSelect: () =>
              link.mutate({ params, body: {} }, { onSuccess: (answer) => onLink(answer.link.url) }),
          },
          { label: 'Remove…', missingRole, danger: true, onSelect: () => setAsks(true) },
        ]}
      />
      <Failed of={link} />
      {asks && <Remove member={member} onClose={() => setAsks(false)} />}
    </>
  );
}

function Remove({ member, onClose }: MemberProps & { readonly onClose: () => void }) {
  const remove = useChange('removeMember', 'members', 'keys');
  const [revokes, setRevokes] = useState(false);
  const params = { member_id: member.member_id };
  return (
    <Confirm
      title="Remove the member"
      action="Remove"
      error={remove.error}
      onConfirm={() => remove.mutate({ params, body: { revoke_keys: revokes } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      All sessions of <Foreign text={member.display_name} /> end at once. The name <code>{member.name}</code>{' '}
      is never given to another person.{' '}
      <label>
        <input type="checkbox" checked={revokes} onChange={(event) => setRevokes(event.target.checked)} />{' '}
        Also revoke the API keys that they made
      </label>
    </Confirm>
  );
}

interface InviteProps {
  readonly onClose: () => void;
  readonly onLink: (url: string) => void;
}

function Invite({ onClose, onLink }: InviteProps) {
  const invite = useChange('inviteMember', 'members');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name')).trim().toLowerCase();
    const body: InviteMemberBody = {
      name,
      display_name: String(form.get('display')).trim() || name,
      role: form.get('role') as InviteMemberBody['role'],
    };
    invite.mutate({ body }, { onSuccess: (answer) => onLink(answer.link.url) });
  };
  return (
    <Dialog title="Invite a member" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" required maxLength={40} spellCheck={false} />
          <small>For the sign-in, as in bea; it cannot be changed</small>
        </label>
        <label className="field">
          Shown as
          <input name="display" maxLength={80} />
        </label>
        <label className="field">
          Role
          <select name="role" defaultValue="developer">
            {ROLES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <FormButtons action="Invite" error={invite.error} onClose={onClose} />
      </form>
    </Dialog>
  );
}
