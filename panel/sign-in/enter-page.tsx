import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../api/client.js';
import { useSessionState } from '../api/session.js';
import { Page } from '../app/page.js';
import { Problem } from '../look/parts.js';
import { Entrance } from './entrance.js';

const PREFIX = '/enter/';

/** Only the button uses the link up, so that a preview of the link does not. */
export function EnterPage() {
  const { signedIn } = useSessionState();
  const [address, navigate] = useLocation();
  const [token] = useState(() => (address.startsWith(PREFIX) ? address.slice(PREFIX.length) : ''));
  const [error, setError] = useState<Error>();
  const [busy, setBusy] = useState(false);
  // The secret stays neither in the address bar nor in the history.
  useEffect(() => {
    if (address !== '/enter') navigate('/enter', { replace: true });
  }, [address, navigate]);
  const enter = () => {
    setBusy(true);
    setError(undefined);
    call('signInByLink', { body: { token } })
      .then((state) => {
        const offersPassword = state.session?.kind === 'member' && !state.session.has_password;
        navigate(offersPassword ? '/password' : '/', { replace: true });
        signedIn(state);
      }, setError)
      .finally(() => setBusy(false));
  };
  return (
    <Entrance>
      <Page title="Sign in with a link">
        {token === '' ? (
          <p>This address holds no link any more. Open the link that you were given.</p>
        ) : (
          <>
            <p>The link works once.</p>
            <div>
              <button type="button" className="main" onClick={enter} disabled={busy}>
                Sign in
              </button>
            </div>
          </>
        )}
        {error && <Problem error={error} />}
        <p>
          <Link href="/">Sign in with a password</Link>
        </p>
      </Page>
    </Entrance>
  );
}
