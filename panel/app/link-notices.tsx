import { useState } from 'react';
import { call } from '../api/client.js';
import { useSessionState } from '../api/session.js';
import { Foreign, Problem, Time } from '../look/parts.js';

/** Tells a member of the sign-in links that somebody else made, until the member dismisses it. */
export function LinkNotices() {
  const { session, signedIn } = useSessionState();
  const [isHidden, setIsHidden] = useState(false);
  const [error, setError] = useState<Error>();
  const notices = session?.link_notices ?? [];
  if (notices.length === 0 || isHidden) return null;
  const dismiss = () =>
    void call('dismissLinkNotices').then((state) => {
      setIsHidden(true);
      signedIn(state);
    }, setError);
  return (
    <div className="box problem stack" role="status">
      {notices.map(({ made_by, made_at, used_at }) => (
        <p key={`${made_by.id} ${made_at}`}>
          <Foreign text={made_by.name} /> made a link that signs in as you, <Time at={made_at} />. It was{' '}
          {used_at ? (
            <>
              used <Time at={used_at} />
            </>
          ) : (
            'not used'
          )}
          . If you did not ask for it, sign out everywhere and choose a new password.
        </p>
      ))}
      <div>
        <button type="button" onClick={dismiss}>
          Dismiss
        </button>
      </div>
      {error && <Problem error={error} />}
    </div>
  );
}
