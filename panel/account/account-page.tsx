import { Link } from 'wouter';
import { Alerts, useAlerts } from '../alerts/alerts.js';
import { useRead } from '../api/reads.js';
import { useSession, useSessionState } from '../api/session.js';
import { Page } from '../app/page.js';
import { Foreign, Placeholder, Read } from '../look/parts.js';
import { ChoosePassword } from '../sign-in/password-form.js';
import { size } from '../look/times.js';
import { Audit, useAudit } from './audit.js';
import { ExportProof } from './export-proof.js';
import { Members, useMembers } from './members.js';
import { Sessions, useSessions } from './sessions.js';

export function AccountPage() {
  const session = useSession();
  const reads = [
    useMembers(),
    useRead('overview', 'getOverview'),
    useAudit(undefined),
    useSessions(session.kind === 'member'),
    useAlerts(session.kind === 'member'),
  ];
  return (
    <Page title="Account" subject={session.account?.name}>
      {reads.some(({ isLoading }) => isLoading) ? <Placeholder /> : <Sections />}
    </Page>
  );
}

/** Shown together, so that none moves when another arrives. What is a member's own, an operator does not see. */
function Sections() {
  const session = useSession();
  const { versions } = useSessionState();
  const isMember = session.kind === 'member';
  return (
    <>
      <Members />
      {isMember && <Alerts />}
      <Usage />
      <Audit />
      <Evidence />
      {isMember && (
        <section className="stack" aria-labelledby="password">
          <h2 id="password">My password</h2>
          <p>
            You are <Foreign text={session.display_name} /> and sign in as <code>{session.sign_in_name}</code>
            .
          </p>
          <ChoosePassword />
        </section>
      )}
      {isMember && <Sessions />}
      <p className="quiet">Version {versions?.product}</p>
    </>
  );
}

function Evidence() {
  return (
    <section className="stack" aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      <p>
        An auditor can check that no stored event was changed:{' '}
        <Link href="/account/evidence">what to keep, and how far the log is</Link>.
      </p>
      <div className="row">
        <ExportProof of="account" />
      </div>
    </section>
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
