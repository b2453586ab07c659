import type { ComponentType } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { Banner } from '../api/banner.js';
import { lazy } from '../api/lazy.js';
import { useLiveFeed } from '../api/live.js';
import { ownerOf, useSession, useSessionState } from '../api/session.js';
import { JobsPage } from '../jobs/jobs-page.js';
import { Placeholder, Problem } from '../look/parts.js';
import { OverviewPage } from '../overview/overview-page.js';
import { EnterPage } from '../sign-in/enter-page.js';
import { SignInPage } from '../sign-in/sign-in-page.js';
import { Frame } from './frame.js';
import { useHashPath, useHashSearch } from './hash-location.js';
import { NoSuch } from './no-such.js';
import { MEMBER_PAGES, MEMBER_SEARCH, OPERATOR_PAGES, OPERATOR_SEARCH } from './pages.js';
import { useTheme } from './theme.js';
import { VisitBar } from './visit-bar.js';

/** Each page but the first ones is read when a person opens it. */
const page = <P extends object>(load: () => Promise<ComponentType<P>>) => lazy(load, <Placeholder />);

const AccountPage = page(async () => (await import('../account/account-page.js')).AccountPage);
const AccountsPage = page(async () => (await import('../accounts/accounts-page.js')).AccountsPage);
const DeliveryPage = page(async () => (await import('../webhooks/delivery-page.js')).DeliveryPage);
const DevicesPage = page(async () => (await import('../devices/devices-page.js')).DevicesPage);
const FindPage = page(async () => (await import('../service/find-page.js')).FindPage);
const JobPage = page(async () => (await import('../job/job-page.js')).JobPage);
const KeysPage = page(async () => (await import('../keys/keys-page.js')).KeysPage);
const PartnerPage = page(async () => (await import('../partners/partner-page.js')).PartnerPage);
const PartnersPage = page(async () => (await import('../partners/partners-page.js')).PartnersPage);
const PasswordOffer = page(async () => (await import('../sign-in/password-offer.js')).PasswordOffer);
const PrinterPage = page(async () => (await import('../printer/printer-page.js')).PrinterPage);
const SendPage = page(async () => (await import('../send/send-page.js')).SendPage);
const ServicePage = page(async () => (await import('../service/service-page.js')).ServicePage);
const StreamPage = page(async () => (await import('../stream/stream-page.js')).StreamPage);
const WebhookPage = page(async () => (await import('../webhooks/webhook-page.js')).WebhookPage);
const WebhooksPage = page(async () => (await import('../webhooks/webhooks-page.js')).WebhooksPage);

export function App() {
  return (
    <Router hook={useHashPath} searchHook={useHashSearch}>
      <Banner />
      <Gate />
    </Router>
  );
}

/** The sign-in form, until somebody is signed in. */
function Gate() {
  const { session, problem, ask } = useSessionState();
  const [location] = useLocation();
  useTheme();
  if (location.startsWith('/enter')) return <EnterPage />;
  if (problem && session === undefined)
    return (
      <main className="narrow">
        <Problem error={problem} again={ask} />
      </main>
    );
  if (session === undefined) return <main className="narrow" aria-busy="true" />;
  if (session === null) return <SignInPage />;
  return session.account === null ? (
    <OperatorFrame key={ownerOf(session)} />
  ) : (
    <MemberFrame key={ownerOf(session)} />
  );
}

/** Operators have no account, so they have no live feed either. */
function OperatorFrame() {
  return (
    <Frame name="Operator" pages={OPERATOR_PAGES} search={OPERATOR_SEARCH}>
      <Switch>
        <Route path="/" component={ServicePage} />
        <Route path="/find" component={FindPage} />
        <Route path="/accounts" component={AccountsPage} />
        <Route path="/partners" component={PartnersPage} />
        <Route path="/partners/:id">{({ id }) => <PartnerPage key={id} partnerId={id} />}</Route>
        <Route path="/stream" component={StreamPage} />
        <Route component={NoSuchPage} />
      </Switch>
    </Frame>
  );
}

function MemberFrame() {
  const { account } = useSession();
  useLiveFeed();
  return (
    <Frame name={account?.name} pages={MEMBER_PAGES} search={MEMBER_SEARCH}>
      <VisitBar />
      <Pages />
    </Frame>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={OverviewPage} />
      <Route path="/jobs" component={JobsPage} />
      <Route path="/jobs/:id">{({ id }) => <JobPage key={id} jobId={id} />}</Route>
      <Route path="/send" component={SendPage} />
      <Route path="/devices" component={DevicesPage} />
      <Route path="/devices/printers/:id">{({ id }) => <PrinterPage key={id} printerId={id} />}</Route>
      <Route path="/keys" component={KeysPage} />
      <Route path="/webhooks" component={WebhooksPage} />
      <Route path="/webhooks/:id">{({ id }) => <WebhookPage key={id} webhookId={id} />}</Route>
      <Route path="/deliveries/:id">{({ id }) => <DeliveryPage key={id} deliveryId={id} />}</Route>
      <Route path="/password" component={PasswordOffer} />
      <Route path="/account/:part?">{({ part }) => <AccountPage part={part} />}</Route>
      <Route component={NoSuchPage} />
    </Switch>
  );
}

const NoSuchPage = () => <NoSuch what="page" href="/" list="To the first page" />;
