import { useRead, useChange } from '../api/reads.js';
import type { ServiceState } from '../../sdk/src/generated/operator.js';
import { Page } from '../app/page.js';
import { JOB_STATUS } from '../look/job-status.js';
import { Action, Problem, Read, Status, Table, Time } from '../look/parts.js';

const ASK_MS = 5_000;

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
  const { ready, checks, versions, stores, role, overdue_timers, deliveries, jobs, time } = state;
  return (
    <>
      <section className="box stack" aria-label="Health">
        {ready ? <Status tone="done" word="ready" /> : <Status tone="failed" word="not ready" />}
        <dl className="facts">
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
          <dt>as of</dt>
          <dd>
            <Time at={time} exact />
          </dd>
        </dl>
      </section>
      <section className="stack" aria-labelledby="queues">
        <h2 id="queues">Jobs and deliveries</h2>
        <dl className="counts">
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

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

const Count = ({ name, value }: { readonly name: string; readonly value: number | undefined }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value ?? 0}</dd>
  </div>
);

function Views({ views }: { readonly views: ServiceState['views'] }) {
  const verify = useChange('verifyViews');
  const resultOf = (name: string) => verify.data?.items.find((item) => item.name === name);
  return (
    <section className="stack" aria-labelledby="views">
      <div className="row">
        <h2 id="views">Read models</h2>
        <Action busy={verify.isPending} onClick={() => verify.mutate({})}>
          {verify.isPending ? 'Verifying…' : 'Verify read models'}
        </Action>
      </div>
      {verify.error && <Problem error={verify.error} />}
      <Table
        caption="Read models and how far each is"
        columns={['Name', 'Version', 'Lag in events', 'Documents', 'Compared with a replay']}
      >
        {views.map(({ name, version, lag }) => {
          const result = resultOf(name);
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label="Version">{version}</td>
              <td data-label="Lag in events">{lag}</td>
              <td data-label="Documents">{result?.documents ?? '–'}</td>
              <td data-label="Compared with a replay">
                {!result && '–'}
                {result?.equal && <Status tone="done" word="equal" />}
                {result && !result.equal && <Status tone="failed" word="differs" />}
              </td>
            </tr>
          );
        })}
      </Table>
    </section>
  );
}
