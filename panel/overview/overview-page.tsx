import { TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import type { Attention, Overview } from '../../sdk/src/generated/panel.js';
import { useRead } from '../api/reads.js';
import { Page } from '../app/page.js';
import { JobTable } from '../jobs/job-table.js';
import { JOB_STATUS } from '../look/job-status.js';
import { Empty, Read, Status, Time } from '../look/parts.js';

const NEWEST = { limit: 12, offset: 0 } as const;

export function OverviewPage() {
  const overview = useRead('overview', 'getOverview');
  const newest = useRead('jobs', 'listPrintJobs', { query: NEWEST });
  return (
    <Page title="Overview">
      <Read of={overview}>
        {(shown) => (
          <>
            <NeedsYou attention={shown.attention} />
            <FirstSteps steps={shown.first_steps} />
            <Counts overview={shown} />
          </>
        )}
      </Read>
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
          empty={<Empty text="No jobs yet." />}
        />
      </section>
    </Page>
  );
}

const SAYS: Readonly<Record<Attention['kind'], (count: number) => string>> = {
  jobs_in_review: (count) => `${count} ${count === 1 ? 'job needs' : 'jobs need'} a decision`,
  printer_offline_with_jobs: (count) =>
    `${count} ${count === 1 ? 'printer is' : 'printers are'} offline while jobs wait`,
  printer_stuck: (count) => `${count} ${count === 1 ? 'printer is' : 'printers are'} stuck`,
  dead_letters: (count) => `${count}${count === 100 ? ' or more' : ''} webhook deliveries are tried no more`,
  webhook_paused: (count) => `${count} ${count === 1 ? 'webhook is' : 'webhooks are'} paused`,
  key_expires_soon: (count) => `${count} API ${count === 1 ? 'key expires' : 'keys expire'} within 14 days`,
  device_credential_ends: (count) =>
    `${count} ${count === 1 ? 'computer has' : 'computers have'} not been connected: the credential ends within 14 days, or has ended`,
  plan_nearly_used: (count) => `The plan is nearly used up: ${count} jobs this month`,
};

function NeedsYou({ attention }: { readonly attention: Overview['attention'] }) {
  return (
    <section className="box stack" aria-labelledby="needs-you">
      <h2 id="needs-you">Needs you</h2>
      {attention.length === 0 ? (
        <p className="quiet">Nothing needs you now.</p>
      ) : (
        <ul className="attention">
          {attention.map(({ kind, count, since, link }) => (
            <li key={kind}>
              <TriangleAlert aria-hidden="true" />
              <span>
                <Link href={link.replace(/^#/, '')}>{SAYS[kind](count)}</Link>
                {since && (
                  <span className="quiet">
                    {' · '}
                    <Time at={since} />
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
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
      <ol>
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
