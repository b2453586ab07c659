import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { AccountPage } from '../account/account-page.js';
import { useLiveFeed } from '../api/live.js';
import { useSession, useSessionState } from '../api/session.js';
import { DevicesPage } from '../devices/devices-page.js';
import { JobPage } from '../job/job-page.js';
import { JobsPage } from '../jobs/jobs-page.js';
import { KeysPage } from '../keys/keys-page.js';
import { Empty, Problem } from '../look/parts.js';
import { OverviewPage } from '../overview/overview-page.js';
import { SendPage } from '../send/send-page.js';
import { EnterPage } from '../sign-in/enter-page.js';
import { ChoosePassword } from '../sign-in/password-form.js';
import { SignInPage } from '../sign-in/sign-in-page.js';
import { DeliveryPage } from '../webhooks/delivery-page.js';
import { WebhookPage } from '../webhooks/webhook-page.js';
import { WebhooksPage } from '../webhooks/webhooks-page.js';
import { Page } from './page.js';

const PAGES = [
  ['/', 'Overview'],
  ['/jobs', 'Jobs'],
  ['/send', 'Send'],
  ['/devices', 'Devices'],
  ['/keys', 'Keys'],
  ['/webhooks', 'Webhooks'],
  ['/account', 'Account'],
] as const;

export function App() {
  return (
    <Router hook={useHashLocation}>
      <Gate />
    </Router>
  );
}

/** The sign-in form, until somebody is signed in. */
function Gate() {
  const { session, problem, ask } = useSessionState();
  const [location] = useLocation();
  if (location.startsWith('/enter')) return <EnterPage />;
  if (problem && session === undefined)
    return (
      <main className="narrow">
        <Problem error={problem} again={ask} />
      </main>
    );
  if (session === undefined) return <main className="narrow" aria-busy="true" />;
  if (session === null) return <SignInPage />;
  if (session.kind === 'operator') return <OperatorNotice />;
  return <Frame />;
}

function OperatorNotice() {
  const { signOut } = useSessionState();
  return (
    <main className="narrow stack">
      <h1>Signed in as an operator</h1>
      <p>
        The pages for operators are not part of this release. Use <code>rps</code> on the machine of the
        service.
      </p>
      <div>
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </main>
  );
}

function Frame() {
  const session = useSession();
  const { signOut } = useSessionState();
  const notLiveSince = useLiveFeed();
  const [location] = useLocation();
  const isCurrent = (path: string) => (path === '/' ? location === '/' : location.startsWith(path));
  return (
    <div className="frame">
      <a className="skip" href="#main" onClick={skipToMain}>
        Skip to the page
      </a>
      <nav className="navigation" aria-label="Pages">
        <div className="account">
          <bdi>{session.account?.name}</bdi>
        </div>
        <ul>
          {PAGES.map(([path, name]) => (
            <li key={path}>
              <Link href={path} aria-current={isCurrent(path) ? 'page' : undefined}>
                {name}
              </Link>
            </li>
          ))}
          <li>
            <button type="button" className="plain" onClick={() => void signOut()}>
              Sign out
            </button>
          </li>
        </ul>
      </nav>
      <main id="main" tabIndex={-1} className="stack">
        {notLiveSince && (
          <p role="status" className="box">
            Not live since {notLiveSince.toLocaleTimeString()}
          </p>
        )}
        {session.old_password_not_needed && !session.has_password && (
          <section className="box stack" aria-labelledby="choose">
            <h2 id="choose">Choose a password</h2>
            <ChoosePassword />
          </section>
        )}
        <Pages />
      </main>
    </div>
  );
}

/** The address bar keeps the page: `#main` is no address of ours. */
function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={OverviewPage} />
      <Route path="/jobs" component={JobsPage} />
      <Route path="/jobs/:id">{({ id }) => <JobPage key={id} jobId={id} />}</Route>
      <Route path="/send" component={SendPage} />
      <Route path="/devices" component={DevicesPage} />
      <Route path="/keys" component={KeysPage} />
      <Route path="/webhooks" component={WebhooksPage} />
      <Route path="/webhooks/:id">{({ id }) => <WebhookPage key={id} webhookId={id} />}</Route>
      <Route path="/deliveries/:id">{({ id }) => <DeliveryPage key={id} deliveryId={id} />}</Route>
      <Route path="/account" component={AccountPage} />
      <Route>
        <Page title="No such page">
          <Empty text="This address leads nowhere.">
            <Link href="/">Overview</Link>
          </Empty>
        </Page>
      </Route>
    </Switch>
  );
}
