import type { PanelDeliveryDetail } from '../../sdk/src/generated/panel.js';
import { useChange, useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { isNotFound, NoSuch } from '../app/no-such.js';
import { Page } from '../app/page.js';
import { JobLink } from '../look/job-link.js';
import { Action, Copy, Foreign, Problem, Read, Status, Time } from '../look/parts.js';
import { duration } from '../look/times.js';
import './attempts.css';
import { DELIVERY_STATUS, NextAttempt, reasonOf, WebhookLink } from './delivery-table.js';

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

function Detail({ delivery }: { readonly delivery: PanelDeliveryDetail }) {
  const { delivery_id, event_id, status, next_attempt_at } = delivery;
  const { request, attempts, job_id, job_title } = delivery;
  return (
    <>
      <Status {...DELIVERY_STATUS[status]} />
      <dl className="facts">
        <dt>Webhook</dt>
        <dd>
          <WebhookLink {...delivery} />
        </dd>
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
        {next_attempt_at && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <NextAttempt at={next_attempt_at} />
            </dd>
          </>
        )}
      </dl>
      <section className="stack" aria-labelledby="attempts">
        <h2 id="attempts">Attempts</h2>
        <ol className="stack attempts">
          {attempts.toReversed().map((attempt) => (
            <li key={attempt.attempt} className="stack">
              <div>
                <Status
                  tone={
                    attempt.result === 'delivered'
                      ? 'done'
                      : attempt.result === 'failed'
                        ? 'failed'
                        : 'moving'
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
      <Request request={request} />
    </>
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
