import { useState, type FormEvent } from 'react';
import { call } from '../api/client.js';
import { useSession, useSessionState } from '../api/session.js';
import { Problem } from '../look/parts.js';

/** For the signed-in member. Shortly after a sign-in by link no old password is needed. */
export function ChoosePassword() {
  const { old_password_not_needed: isFree } = useSession();
  const { signedIn } = useSessionState();
  const [error, setError] = useState<Error>();
  const [isDone, setIsDone] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const current = given.get('current');
    setError(undefined);
    setIsDone(false);
    call('choosePassword', {
      body: { next: String(given.get('next')), ...(current !== null && { current: String(current) }) },
    }).then((state) => {
      form.reset();
      setIsDone(true);
      signedIn(state);
    }, setError);
  };
  return (
    <form className="stack" onSubmit={submit}>
      {!isFree && (
        <label className="field">
          Current password
          <input name="current" type="password" autoComplete="current-password" required />
        </label>
      )}
      <label className="field">
        New password
        <input name="next" type="password" autoComplete="new-password" required minLength={15} />
        <small>15 to 128 characters. A sentence is good.</small>
      </label>
      <div>
        <button type="submit" className="main">
          Set the password
        </button>
      </div>
      {isDone && <p role="status">The password is set. Your other sessions have ended.</p>}
      {error && <Problem error={error} />}
    </form>
  );
}
