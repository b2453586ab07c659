import type { ComponentType } from 'react';
import { Link } from 'wouter';
import { Alerts, useAlerts } from '../alerts/alerts.js';
import { useRead } from '../api/reads.js';
import { useSession, useSessionState } from '../api/session.js';
import { Page } from '../app/page.js';
import { Foreign, Placeholder, Read } from '../look/parts.js';
import { ChoosePassword } from '../sign-in/password-form.js';
import { size } from '../look/times.js';
import { Audit } from './audit.js';
import { Evidence } from './evidence.js';
import { Members, useMembers } from './members.js';
import { Sessions, useSessions } from './sessions.js';

interface Part {
  readonly path: string;
  readonly title: string;
  readonly content: ComponentType;
  /** What is a member's own, an operator does not see. */
  readonly isOwn?: boolean;
}

const PARTS: readonly Part[] = [
  { path: '/account', title: 'Members and plan', content: MembersAndPlan },
  { path: '/account/alerts', title: 'Alerts', content: MyAlerts, isOwn: true },
  { path: '/account/audit', title: 'Audit', content: Audit },
  { path: '/account/evidence', title: 'Evidence', content: Evidence },
  { path: '/account/sign-in', title: 'Sign-in', content: SignIn, isOwn: true },
];

/** The account and what a member set for themselves, in parts that have an address each. */
export function AccountPage({ part = '' }: { readonly part?: string | undefined }) {
  const session = useSession();
  const parts = PARTS.filter(({ isOwn }) => !isOwn || session.kind === 'member');
  const { content: Content, path } = parts.find((one) => one.path === `/account/${part}`) ?? parts[0]!;
  return (
    <Page title="Account" subject={session.account?.name}>
      <nav className="tabs" aria-label="Parts of the account">
        {parts.map((one) => (
          <Link key={one.path} href={one.path} aria-current={one.path === path ? 'page' : undefined}>
            {one.title}
          </Link>
        ))}
      </nav>
      <Content />
    </Page>
  );
}

/** Its sections are shown together, so that none moves when another arrives. */
function MembersAndPlan() {
  const { versions } = useSessionState();
  const reads = [useMembers(), useRead('overview', 'getOverview')];
  if (reads.some(({ isLoading }) => isLoading)) return <Placeholder />;
  return (
    <>
      <Members />
      <Usage />
      <p className="quiet">Version {versions?.product}</p>
    </>
  );
}

function MyAlerts() {
  return useAlerts(true).isLoading ? <Placeholder /> : <Alerts />;
}

function SignIn() {
  const session = useSession();
  const { isLoading } = useSessions();
  if (isLoading || session.kind !== 'member') return <Placeholder />;
  return (
    <>
      <section className="stack" aria-labelledby="password">
        <h2 id="password">My password</h2>
        <p>
          You are <Foreign text={session.display_name} /> and sign in as <code>{session.sign_in_name}</code>.
        </p>
        <ChoosePassword />
      </section>
      <Sessions />
    </>
  );
}

function Usage() {
  const { account } = useSession();
  const overview = useRead('overview', 'getOverview');
  return (
    <section className="stack" aria-labelledby="usage">
      <h2 id="usage">Usage and plan</h2>
      <Read of={overview}>
        {({ month }) => (
          <dl className="facts">
            <dt>Jobs this month</dt>
            <dd>
              {month.used}
              {month.limit === null ? ', no limit' : ` of ${month.limit}`}
            </dd>
            <dt>Largest document</dt>
            <dd>{size(account!.plan.max_content_bytes)}</dd>
            <dt>Automatic retries</dt>
            <dd>{account!.plan.max_auto_retries}</dd>
            <dt>Status</dt>
            <dd>
              {account!.status}
              {!account!.environment_enabled && ', the API is switched off'}
            </dd>
          </dl>
        )}
      </Read>
    </section>
  );
}
