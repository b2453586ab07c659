import { useChange, useRead } from '../api/reads.js';
import { useSessionState } from '../api/session.js';
import { Action, Foreign, Problem, Read, Table, Time } from '../look/parts.js';

export const useSessions = () => useRead('sessions', 'listSessions');

/** The browsers in which the member is signed in. */
export function Sessions() {
  const { signOut } = useSessionState();
  const sessions = useSessions();
  const end = useChange('endOneSession', 'sessions');
  return (
    <section className="stack" aria-labelledby="sessions">
      <h2 id="sessions">My sessions</h2>
      <Read of={sessions}>
        {({ items }) => (
          <Table
            caption="Where you are signed in, the last used first"
            columns={['Last request', 'Signed in', 'Address', 'Browser', '']}
          >
            {items.map(({ session_id, current, signed_in_at, last_request_at, address, user_agent }) => (
              <tr key={session_id}>
                <td data-label="Last request">{current ? 'this one' : <Time at={last_request_at} />}</td>
                <td data-label="Signed in">
                  <Time at={signed_in_at} />
                </td>
                <td data-label="Address">{address}</td>
                <td data-label="Browser">
                  <Foreign text={user_agent ?? ''} />
                </td>
                <td>
                  {!current && (
                    <Action missingRole={undefined} onClick={() => end.mutate({ params: { session_id } })}>
                      End
                    </Action>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Read>
      {end.error && <Problem error={end.error} />}
      <div>
        <button type="button" onClick={() => void signOut(true)}>
          Sign out everywhere
        </button>
      </div>
    </section>
  );
}
