import { Link, Redirect } from 'wouter';
import { useSession } from '../api/session.js';
import { Page } from '../app/page.js';
import { ChoosePassword } from './password-form.js';

/** Comes once, after the link of somebody without a password; later it is on the page Account. */
export function PasswordOffer() {
  const { has_password } = useSession();
  if (has_password) return <Redirect to="/" replace />;
  return (
    <Page title="Choose a password">
      <p className="quiet">With a password you can sign in again without asking for a new link.</p>
      <ChoosePassword />
      <p>
        <Link href="/" replace>
          Later
        </Link>
      </p>
    </Page>
  );
}
