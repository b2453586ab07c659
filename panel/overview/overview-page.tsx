import { Link } from 'wouter';
import type { Attention, Overview } from '../../sdk/src/generated/panel.js';
import { lazy } from '../api/lazy.js';
import { RECENT, useRead } from '../api/reads.js';
import { Page } from '../app/page.js';
import { JobTable, NoJobsYet } from '../jobs/job-table.js';
import { JOB_STATUS } from '../look/job-status.js';
import { NeedsYou, say } from '../look/needs-you.js';
import { Placeholder, Read, Status } from '../look/parts.js';
import { IsBehind } from '../printer/held-up.js';
import { Charts, useRange } from './charts.js';
import './overview.css';

/** Brings the chart library: read after the first page is shown. */
const Availability = lazy(async () => (await import('./availability.js')).Availability, <Placeholder />);

const NEWEST = { limit: 12, offset: 0 } as const;

export function OverviewPage() {
  const overview = useRead('overview', 'getOverview', {}, RECENT);
  const range = useRange();
  const activity = useRead('activity', 'getActivity', range.query, RECENT);
  const newest = useRead('jobs', 'listPrintJobs', { query: NEWEST });
  // Shown together, so that none moves when the other arrives.
  if (overview.isPending || newest.isPending)
    return (
      <Page title="Overview">
        <Placeholder />
      </Page>
    );
  return (
    <Page title="Overview">
      <Read of={overview}>
        {(shown) => (
          <>
            <FirstSteps steps={shown.first_steps} />
            <NeedsYou
              attention={shown.attention.flatMap(({ kind, count, since, link }) => {
                const page = link.replace(/^#/, '');
                return kind === 'printer_backlog'
                  ? printersBehind(shown.printers_behind, page)
                  : [{ key: kind, says: say(SAYS, kind, count), since, link: page }];
              })}
            />
          </>
        )}
      </Read>
      <Charts activity={activity} range={range} hasLists />
      <Read of={overview}>{(shown) => <Counts overview={shown} />}</Read>
      <section className="stack" aria-labelledby="newest">
        <div className="page-head">
          <h2 id="newest">Newest jobs</h2>
          <Link href="/jobs">All jobs</Link>
        </div>
        <JobTable
          jobs={newest.data?.items}
          reading={newest}
          caption="The newest jobs"
          captionHidden
          loadingRows={NEWEST.limit}
          empty={<NoJobsYet />}
        />
      </section>
      <section className="stack" aria-labelledby="availability">
        <h2 id="availability">Availability in the last 48 hours</h2>
        <Read of={activity}>{(shown) => <Availability activity={shown} />}</Read>
      </section>
    </Page>
  );
}

const SAYS = {
  jobs_in_review: (count: number) => `${count} ${count === 1 ? 'job needs' : 'jobs need'} a decision`,
  printer_offline_with_jobs: (count: number) =>
    `${count} ${count === 1 ? 'printer is offline and has' : 'printers are offline and have'} jobs`,
  printer_backlog: (count: number) => `${count} more ${count === 1 ? 'printer is' : 'printers are'} behind`,
  printer_stuck: (count: number) => `${count} ${count === 1 ? 'printer is' : 'printers are'} stuck`,
  dead_letters: (count: number) =>
    `${count}${count === 100 ? ' or more' : ''} webhook ${count === 1 ? 'delivery' : 'deliveries'} failed for good`,
  webhook_failing: (count: number) =>
    `${count} ${count === 1 ? 'webhook fails' : 'webhooks fail'}; deliveries are tried again`,
  webhook_paused: (count: number) => `${count} ${count === 1 ? 'webhook is' : 'webhooks are'} paused`,
  webhook_given_up: (count: number) =>
    `${count} ${count === 1 ? 'webhook is' : 'webhooks are'} paused because the receiver failed for five days`,
  key_expires_soon: (count: number) =>
    `${count} API ${count === 1 ? 'key expires' : 'keys expire'} within 14 days`,
  device_credential_ends: (count: number) =>
    `${count} ${count === 1 ? 'computer has' : 'computers have'} not been connected: the credential ends within 14 days, or has ended`,
  plan_used_up: (count: number) => `The plan is used up: ${count} jobs this month`,
  plan_nearly_used: (count: number) => `The plan is nearly used up: ${count} jobs this month`,
} satisfies Record<Attention['kind'], (count: number) => string>;

const NAMED = 3;

/** The first of them with the job that holds them up; the others as a number, with a link to their list. */
function printersBehind(printers: Overview['printers_behind'], list: string) {
  const named = printers.slice(0, NAMED).map((printer) => ({
    key: `printer_backlog ${printer.printer_id}`,
    says: <IsBehind printer={printer} />,
  }));
  const more = printers.length - named.length;
  const others = { key: 'printer_backlog', says: say(SAYS, 'printer_backlog', more), link: list };
  return more > 0 ? [...named, others] : named;
}

function FirstSteps({ steps }: { readonly steps: Overview['first_steps'] }) {
  if (steps.computer && steps.job && steps.key) return null;
  const step = (isDone: boolean, href: string, text: string) => (
    <li>
      {isDone ? (
        <>
          {text} <span className="quiet">– done</span>
        </>
      ) : (
        <Link href={href}>{text}</Link>
      )}
    </li>
  );
  return (
    <section className="box stack" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol className="steps">
        {step(steps.computer, '/devices', 'Connect a computer')}
        {step(steps.job, '/send', 'Print a test page')}
        {step(steps.key, '/keys', 'Create an API key')}
      </ol>
    </section>
  );
}

function Counts({ overview: { counts, month } }: { readonly overview: Overview }) {
  return (
    <section className="stack" aria-labelledby="counts">
      <div className="page-head">
        <h2 id="counts">Jobs by status</h2>
        <p className="quiet">
          This month: {month.used}
          {month.limit === null ? ' jobs, no limit' : ` of ${month.limit} jobs`}
        </p>
      </div>
      <dl className="counts of-status">
        {(Object.keys(JOB_STATUS) as (keyof typeof JOB_STATUS)[]).map((status) => (
          <div key={status}>
            <dt>
              <Status {...JOB_STATUS[status]} />
            </dt>
            <dd>
              <Link href={`/jobs?status=${status}`}>{counts[status]}</Link>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
