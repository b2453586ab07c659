import { useMemo, type ReactNode } from 'react';
import type { ServiceActivity, ServiceAttention, ServiceState } from '../../sdk/src/generated/operator.js';
import type { DataOf } from '../api/client.js';
import { RECENT, useRead, useChange } from '../api/reads.js';
import { Page } from '../app/page.js';
import { JOB_STATUS } from '../look/job-status.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { NeedsYou, say } from '../look/needs-you.js';
import { Action, NoValue, Problem, Read, Status, Time } from '../look/parts.js';
import { Charts, useRange } from '../overview/charts.js';

const ASK_MS = 5_000;

const SAYS = {
  not_ready: (count) => `The service is not ready: ${count} ${count === 1 ? 'check fails' : 'checks fail'}`,
  store_rolled_back: () =>
    'The store went back in time: Agents or read models know of events that it has lost',
  disk_low: (mebibytes) => `The disk is nearly full: ${mebibytes} MiB are free`,
  timers_overdue: (count) =>
    `${count}${count === 100 ? ' or more' : ''} ${count === 1 ? 'timer is' : 'timers are'} overdue`,
  device_credentials_end: (count) =>
    `${count}${count === 100 ? ' or more' : ''} ${count === 1 ? 'computer has' : 'computers have'} not been connected: the credential ends within 14 days`,
} satisfies Record<ServiceAttention['kind'], (count: number) => string>;

/** What an operator looks at first. Operators have no live feed: the page asks every five seconds. */
export function ServicePage() {
  const service = useRead('service', 'getService', {}, { refetchInterval: ASK_MS });
  return (
    <Page title="Service">
      <Read of={service}>{(state) => <State state={state} />}</Read>
    </Page>
  );
}

function State({ state }: { readonly state: ServiceState }) {
  const { ready, checks, versions, stores, role, overdue_timers, deliveries, jobs, attention, time } = state;
  return (
    <>
      <NeedsYou
        attention={attention.map(({ kind, count }) => ({ key: kind, says: say(SAYS, kind, count) }))}
      />
      <section className="box stack" aria-label="Health">
        {ready ? <Status tone="done" word="ready" /> : <Status tone="failed" word="not ready" />}
        <dl className="facts flowing">
          {Object.entries(checks).map(([name, check]) => (
            <Fact key={name} name={name.replaceAll('_', ' ')} value={String(check)} />
          ))}
          <Fact name="version" value={versions.product} />
          <Fact name="stores" value={stores} />
          <Fact name="role" value={role} />
          <Fact
            name="overdue timers"
            value={overdue_timers === 100 ? '100 or more' : String(overdue_timers)}
          />
          <Fact name="as of" value={<Time at={time} exact />} />
        </dl>
      </section>
      <Activity />
      <section className="stack" aria-labelledby="queues">
        <h2 id="queues">Jobs and deliveries</h2>
        <dl className="counts of-status">
          {(Object.keys(JOB_STATUS) as (keyof typeof JOB_STATUS)[]).map((status) => (
            <Count key={status} name={JOB_STATUS[status].word} value={jobs[status]} />
          ))}
        </dl>
        <dl className="counts">
          <Count name="deliveries to send" value={deliveries.ready} />
          <Count name="waiting for a retry" value={deliveries.waiting} />
          <Count name="in flight" value={deliveries.in_flight} />
        </dl>
      </section>
      <Views views={state.views} />
    </>
  );
}

/** All accounts by hour. */
function Activity() {
  const range = useRange();
  const activity = useRead('activity', 'getServiceActivity', range.query, RECENT);
  return (
    <Charts activity={activity} range={range} hasLists={false}>
      <Read of={activity} loading={<Rates />}>
        {(shown) => <Rates activity={shown} />}
      </Read>
    </Charts>
  );
}

const per = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Keeps its place while they are read. */
function Rates({ activity }: { readonly activity?: ServiceActivity }) {
  const { jobs_per_minute = 0, deliveries_per_minute = 0, failed_share = 0 } = activity ?? {};
  return (
    <dl className="counts" aria-busy={activity === undefined}>
      <Count name="jobs a minute, last full hour" value={per.format(jobs_per_minute)} />
      <Count name="deliveries a minute" value={per.format(deliveries_per_minute)} />
      <Count name="failed or needs a decision" value={percent.format(failed_share)} />
    </dl>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const Count = ({ name, value }: { readonly name: string; readonly value: number | string | undefined }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value ?? 0}</dd>
  </div>
);

function Views({ views }: { readonly views: ServiceState['views'] }) {
  const verify = useChange('verifyViews');
  const columns = useMemo(() => columnsOf(verify.data?.items ?? []), [verify.data]);
  return (
    <section className="stack" aria-labelledby="views">
      <div className="page-head">
        <h2 id="views">Read models</h2>
        <Action busy={verify.isPending} onClick={() => verify.mutate({})}>
          {verify.isPending ? 'Verifying…' : 'Verify read models'}
        </Action>
      </div>
      {verify.error && <Problem error={verify.error} />}
      <DataTable
        caption="Read models and how far each is"
        columns={columns}
        rows={views}
        idOf={({ name }) => name}
      />
    </section>
  );
}

type View = ServiceState['views'][number];

function columnsOf(verified: DataOf<'verifyViews'>['items']): readonly DataColumn<View>[] {
  const resultOf = ({ name }: View) => verified.find((item) => item.name === name);
  return [
    { id: 'name', header: 'Name', width: 180, grow: 1, cell: ({ name }) => name },
    {
      ...{ id: 'version', header: 'Version', width: 80, priority: 4, align: 'end' },
      cell: (view) => view.version,
    },
    { ...{ id: 'lag', header: 'Lag in events', width: 120, align: 'end' }, cell: ({ lag }) => lag },
    {
      ...{ id: 'documents', header: 'Documents', width: 110, priority: 3, align: 'end' },
      cell: (view) => resultOf(view)?.documents ?? <NoValue />,
    },
    {
      ...{ id: 'compared', header: 'Compared with a replay', width: 180, priority: 2 },
      cell: (view) => {
        const result = resultOf(view);
        if (!result) return <NoValue />;
        return result.equal ? <Status tone="done" word="equal" /> : <Status tone="failed" word="differs" />;
      },
    },
  ];
}
