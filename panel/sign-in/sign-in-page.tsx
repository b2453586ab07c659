import { useState, type FormEvent } from 'react';
import { call } from '../api/client.js';
import { useSessionState } from '../api/session.js';
import { Page } from '../app/page.js';
import { Problem } from '../look/parts.js';
import { Entrance } from './entrance.js';
import { isReadableOnTheWay } from './warning.js';

export function SignInPage() {
  const { hasEnded, signedIn } = useSessionState();
  const [error, setError] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    const body = { sign_in_name: String(form.get('name')), password: String(form.get('password')) };
    call('signIn', { body })
      .then(signedIn, setError)
      .finally(() => setBusy(false));
  };
  return (
    <Entrance>
      <Page title="Sign in">
        {isReadableOnTheWay(location) && (
          <p className="box problem">
            This connection is not encrypted: others can read your password on the way.
          </p>
        )}
        {hasEnded && (
          <p className="box" role="status">
            Your session has ended. Sign in again to go on where you were.
          </p>
        )}
        <form className="stack" onSubmit={submit}>
          <label className="field">
            Name
            <input name="name" autoComplete="username" required maxLength={120} spellCheck={false} />
            <small>As in bea@demo-bakery</small>
          </label>
          <label className="field">
            Password
            <input name="password" type="password" autoComplete="current-password" required />
          </label>
          <div>
            <button type="submit" className="main" disabled={busy}>
              Sign in
            </button>
          </div>
        </form>
        {error && <Problem error={error} />}
        <p className="quiet">No password, or forgotten? An owner of the account can send you a new link.</p>
      </Page>
    </Entrance>
  );
}
