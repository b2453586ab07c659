import { useState, type FormEvent } from 'react';
import type { InviteMemberBody, MemberResource } from '../../sdk/src/generated/panel.js';
import { useChange, useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { Confirm, Dialog, FormButtons, LinkDialog } from '../look/dialogs.js';
import { Action, Foreign, Problem, Read, Table, Time } from '../look/parts.js';

const ROLES = ['viewer', 'developer', 'owner'] as const;

export const useMembers = () => useRead('members', 'listMembers');

export function Members() {
  const members = useMembers();
  const missingRole = useMissingRole('panel:members');
  const [invites, setInvites] = useState(false);
  const [link, setLink] = useState<string>();
  const showLink = (url: string) => (setInvites(false), setLink(url));
  return (
    <section className="stack" aria-labelledby="members">
      <h2 id="members">Members</h2>
      <Read of={members}>
        {({ items }) => (
          <Table caption="People who may sign in" columns={['Name', 'Signs in as', 'Role', 'Invited', '']}>
            {items.map((member) => (
              <MemberRow key={member.member_id} member={member} onLink={showLink} />
            ))}
          </Table>
        )}
      </Read>
      <Action missingRole={missingRole} onClick={() => setInvites(true)}>
        Invite a member…
      </Action>
      {invites && <Invite onClose={() => setInvites(false)} onLink={showLink} />}
      {link && <LinkDialog link={link} onStored={() => setLink(undefined)} />}
    </section>
  );
}

interface MemberRowProps {
  readonly member: MemberResource;
  readonly onLink: (url: string) => void;
}

function MemberRow({ member, onLink }: MemberRowProps) {
  const missingRole = useMissingRole('panel:members');
  const params = { member_id: member.member_id };
  const link = useChange('renewMemberLink', 'members');
  const role = useChange('changeMemberRole', 'members');
  const remove = useChange('removeMember', 'members', 'keys');
  const [asks, setAsks] = useState(false);
  const [revokes, setRevokes] = useState(false);
  return (
    <tr>
      <th scope="row">
        <Foreign text={member.display_name} />
      </th>
      <td data-label="Signs in as">
        <code>{member.sign_in_name}</code>
        {!member.has_password && <span className="quiet"> (no password yet)</span>}
      </td>
      <td data-label="Role">
        <select
          aria-label={`Role of ${member.name}`}
          value={member.role}
          disabled={missingRole !== undefined || role.isPending}
          onChange={(event) =>
            role.mutate({ params, body: { role: event.target.value as MemberResource['role'] } })
          }
        >
          {ROLES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </td>
      <td data-label="Invited">
        <Time at={member.invited_at} />
      </td>
      <td>
        <div className="row">
          <Action
            missingRole={missingRole}
            onClick={() =>
              link.mutate({ params, body: {} }, { onSuccess: (answer) => onLink(answer.link.url) })
            }
          >
            New link
          </Action>
          <Action missingRole={missingRole} onClick={() => setAsks(true)}>
            Remove…
          </Action>
        </div>
        {[link.error, role.error].map((error, n) => error && <Problem key={n} error={error} />)}
        {asks && (
          <Confirm
            title="Remove the member"
            action="Remove"
            error={remove.error}
            onConfirm={() =>
              remove.mutate({ params, body: { revoke_keys: revokes } }, { onSuccess: () => setAsks(false) })
            }
            onClose={() => setAsks(false)}
          >
            All sessions of <Foreign text={member.display_name} /> end at once. The name{' '}
            <code>{member.name}</code> is never given to another person.{' '}
            <label>
              <input
                type="checkbox"
                checked={revokes}
                onChange={(event) => setRevokes(event.target.checked)}
              />{' '}
              Also revoke the API keys that they made
            </label>
          </Confirm>
        )}
      </td>
    </tr>
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
