import { useMemo } from 'react';
import type { OpenSession } from '../../sdk/src/generated/panel.js';
import { useChange, useRead } from '../api/reads.js';
import { useSessionState } from '../api/session.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Problem, Text, Time } from '../look/parts.js';
import { browserName } from './browser-name.js';

export const useSessions = (enabled = true) => useRead('sessions', 'listSessions', {}, { enabled });

function columnsOf(onEnd: (sessionId: string) => void): readonly DataColumn<OpenSession>[] {
  return [
    {
      ...{ id: 'last', header: 'Last request', width: 120 },
      cell: ({ current, last_request_at }) => (current ? 'this one' : <Time at={last_request_at} />),
    },
    {
      ...{ id: 'signed-in', header: 'Signed in', width: 110, priority: 2 },
      cell: ({ signed_in_at }) => <Time at={signed_in_at} />,
    },
    { ...{ id: 'address', header: 'Address', width: 130, priority: 3 }, cell: ({ address }) => address },
    {
      ...{ id: 'browser', header: 'Browser', width: 160, grow: 1, priority: 4 },
      cell: ({ user_agent }) => <Text text={user_agent && browserName(user_agent)} />,
    },
    {
      ...{ id: 'actions', header: '', width: 72 },
      cell: ({ current, session_id }) =>
        current || (
          <button type="button" onClick={() => onEnd(session_id)}>
            End
          </button>
        ),
    },
  ];
}

/** The browsers in which the member is signed in. */
export function Sessions() {
  const { signOut } = useSessionState();
  const sessions = useSessions();
  const end = useChange('endOneSession', 'sessions');
  const { mutate } = end;
  const columns = useMemo(() => columnsOf((session_id) => mutate({ params: { session_id } })), [mutate]);
  return (
    <section className="stack" aria-labelledby="sessions">
      <h2 id="sessions">My sessions</h2>
      <DataTable
        caption="Where you are signed in, the last used first"
        columns={columns}
        rows={sessions.data?.items}
        reading={sessions}
        idOf={({ session_id }) => session_id}
      />
      {end.error && <Problem error={end.error} />}
      <div>
        <button type="button" onClick={() => void signOut(true)}>
          Sign out everywhere
        </button>
      </div>
    </section>
  );
}
