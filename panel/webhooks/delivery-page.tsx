import type { PanelDelivery, PanelDeliveryDetail } from '../../sdk/src/generated/panel.js';
import { useChange, useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { isNotFound, NoSuch } from '../app/no-such.js';
import { Page } from '../app/page.js';
import { JobLink } from '../look/job-link.js';
import { Action, Copy, Foreign, Problem, Read, Status, Time } from '../look/parts.js';
import { duration } from '../look/times.js';
import './attempts.css';
import { DELIVERY_STATUS, NextAttempt, reasonOf, useIsPaused, WebhookLink } from './delivery-table.js';

const STATES: Readonly<Record<PanelDelivery['status'], string>> = {
  pending: 'It waits to be sent',
  delivering: 'It is being sent',
  retry_scheduled: 'It is tried again',
  delivered: 'The receiver took it',
  dead_letter: 'It was given up',
  cancelled: 'It was cancelled before it was delivered',
};

interface ShownProps {
  readonly delivery: PanelDeliveryDetail;
}

export function DeliveryPage({ deliveryId }: { readonly deliveryId: string }) {
  const delivery = useRead('deliveries', 'getDelivery', { params: { delivery_id: deliveryId } });
  const retry = useChange('retryWebhookDelivery', 'deliveries', 'webhooks', 'overview');
  const missingRole = useMissingRole('webhooks:write');
  if (isNotFound(delivery.error)) return <NoSuch what="delivery" href="/webhooks" list="All deliveries" />;
  const status = delivery.data?.status;
  const canRetry = status === 'retry_scheduled' || status === 'dead_letter';
  const again = (
    <Action
      main
      missingRole={missingRole}
      why={canRetry ? undefined : 'only what failed is sent again'}
      busy={retry.isPending}
      onClick={() => retry.mutate({ body: { delivery_id: deliveryId } })}
    >
      Send again
    </Action>
  );
  return (
    <Page title="Delivery" subject={delivery.data?.event_type} actions={again}>
      {retry.error && <Problem error={retry.error} />}
      <Read of={delivery}>{(shown) => <Detail delivery={shown} />}</Read>
    </Page>
  );
}

function Detail({ delivery }: ShownProps) {
  return (
    <>
      <section className="box stack" aria-label="State">
        <div className="row">
          <Status {...DELIVERY_STATUS[delivery.status]} />
          <span className="quiet">
            to <WebhookLink {...delivery} />
          </span>
        </div>
        <Verdict delivery={delivery} />
      </section>
      <div className="with-side">
        <Attempts attempts={delivery.attempts} />
        <Facts delivery={delivery} />
      </div>
      <Request request={delivery.request} />
    </>
  );
}

/** What became of it, and what comes next. */
function Verdict({ delivery }: ShownProps) {
  const { webhook_id, status, attempts, next_attempt_at } = delivery;
  const isPaused = useIsPaused(webhook_id);
  const waits = isPaused && (status === 'pending' || status === 'retry_scheduled');
  const last = attempts.findLast(({ result }) => result === 'failed');
  return (
    <p className="verdict">
      {STATES[status]}
      {waits && ' once its webhook is active'}
      {last && status !== 'delivered' && `. The last attempt: ${reasonOf(last)}`}
      {next_attempt_at && !waits && (
        <>
          . The next attempt: <NextAttempt {...delivery} />
        </>
      )}
      .
    </p>
  );
}

function Attempts({ attempts }: Pick<PanelDeliveryDetail, 'attempts'>) {
  return (
    <section className="stack" aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      {attempts.length === 0 && <p className="quiet">None yet.</p>}
      <ol className="stack attempts">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.attempt} className="stack">
            <div>
              <Status
                tone={
                  attempt.result === 'delivered' ? 'done' : attempt.result === 'failed' ? 'failed' : 'moving'
                }
                word={attempt.result === 'in_flight' ? 'in flight' : reasonOf(attempt)}
              />{' '}
              <Time at={attempt.started_at} />
              {attempt.trigger === 'manual' && (
                <>
                  , by hand, by <Foreign text={attempt.actor.name} />
                </>
              )}
              {attempt.duration_ms !== null && `, ${duration(attempt.duration_ms)}`}
            </div>
            {attempt.answer && <pre>{attempt.answer}</pre>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Facts({ delivery: { delivery_id, event_id, job_id, job_title } }: ShownProps) {
  return (
    <section className="stack" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <dl className="facts">
        {job_id && (
          <>
            <dt>Job</dt>
            <dd>
              <JobLink id={job_id} title={job_title} />
            </dd>
          </>
        )}
        <dt>Delivery id</dt>
        <dd>
          <code>{delivery_id}</code> <Copy text={delivery_id} name="delivery id" />
        </dd>
        <dt>Event id</dt>
        <dd>
          <code>{event_id}</code> <Copy text={event_id} name="event id" />
        </dd>
      </dl>
    </section>
  );
}

function Request({ request }: Pick<PanelDeliveryDetail, 'request'>) {
  return (
    <section className="stack" aria-labelledby="request">
      <h2 id="request">Request</h2>
      {request ? (
        <>
          <p>
            <Foreign text={request.url} />
          </p>
          <details>
            <summary>Headers and body, without signatures</summary>
            <pre tabIndex={0} aria-label="Request">
              {Object.entries(request.headers)
                .map(([name, value]) => `${name}: ${String(value)}`)
                .join('\n')}
              {`\n\n${request.body}`}
            </pre>
          </details>
        </>
      ) : (
        <p className="quiet">The webhook was deleted.</p>
      )}
    </section>
  );
}
