import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Webhook } from '../../sdk/src/generated/integration.js';
import { useChange, useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { isNotFound, NoSuch } from '../app/no-such.js';
import { Page } from '../app/page.js';
import { Confirm, SecretDialog } from '../look/dialogs.js';
import { Action, Foreign, Problem, Read, Time } from '../look/parts.js';
import { Deliveries } from './deliveries.js';
import { reasonOf } from './delivery-table.js';
import { Recovery, RecoverWebhook, ResumeWebhook } from './recovery.js';
import { WebhookForm } from './webhook-form.js';
import { PAUSED_BECAUSE, WebhookStatus } from './webhooks-page.js';

export function WebhookPage({ webhookId }: { readonly webhookId: string }) {
  const listed = useRead('webhooks', 'listWebhooks', { body: { limit: 1, webhook_id: webhookId } });
  const webhook = listed.data?.webhooks.find(({ webhook_id }) => webhook_id === webhookId);
  if ((listed.data && !webhook) || isNotFound(listed.error))
    return <NoSuch what="webhook" href="/webhooks" list="All webhooks" />;
  return (
    <Page title="Webhook" subject={webhook && (webhook.description ?? webhook.url)}>
      <Read of={listed}>
        {() =>
          webhook && (
            <>
              <div className="with-side">
                <State webhook={webhook} />
                <Facts webhook={webhook} />
              </div>
              <Deliveries path={`/webhooks/${webhookId}`} webhookId={webhookId} />
            </>
          )
        }
      </Read>
    </Page>
  );
}

interface WebhookProps {
  readonly webhook: Webhook;
}

/** How the webhook stands, what that means, and what a person may do about it. */
function State({ webhook }: WebhookProps) {
  return (
    <section className="box stack" aria-label="State">
      <div className="row">
        <WebhookStatus webhook={webhook} />
        {webhook.description && (
          <span className="quiet">
            <Foreign text={webhook.url} />
          </span>
        )}
      </div>
      <Verdict webhook={webhook} />
      <Controls webhook={webhook} />
    </section>
  );
}

function Verdict({ webhook }: WebhookProps) {
  const { status, health, paused_at, paused_reason, failing_since, last_success_at } = webhook;
  if (status === 'paused') {
    const why = paused_reason && PAUSED_BECAUSE[paused_reason];
    return (
      <>
        <p className="verdict">
          Nothing has been sent since <Time at={paused_at} exact />
          {why && `: ${why}`}.
        </p>
        <p>Repair the receiver, then resume: before you confirm, it says how much was missed.</p>
      </>
    );
  }
  if (health === 'failing')
    return (
      <>
        <p className="verdict">
          The receiver has failed since <Time at={failing_since} exact />
          <LastAnswer webhookId={webhook.webhook_id} />.
        </p>
        <p>What failed is tried again. After five days without a success the webhook is paused.</p>
      </>
    );
  return (
    <p className="verdict">
      {last_success_at
        ? 'The receiver takes what is sent.'
        : 'Nothing has been sent yet. Test sends an event.'}
    </p>
  );
}

/** Of the newest delivery that is tried again. */
function LastAnswer({ webhookId }: { readonly webhookId: string }) {
  const query = { limit: 1, webhook_id: webhookId, status: 'retry_scheduled' } as const;
  const [newest] = useRead('deliveries', 'listDeliveries', { query }).data?.items ?? [];
  return newest && `: ${reasonOf(newest)}`;
}

function Controls({ webhook }: WebhookProps) {
  const { webhook_id, status, recovery } = webhook;
  const missingRole = useMissingRole('webhooks:write');
  const [asks, setAsks] = useState<'change' | 'resume' | 'recover' | 'rotate' | 'delete'>();
  const [pausedAt, setPausedAt] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const update = useChange('updateWebhook', 'webhooks', 'overview');
  const test = useChange('testWebhook', 'webhooks', 'deliveries');
  const close = () => setAsks(undefined);
  const isActive = status === 'active';
  const whyNot = isActive ? undefined : 'it is paused';
  const recovers = recovery?.status === 'running' ? 'a recovery is running' : undefined;
  return (
    <>
      <div className="row">
        <Action missingRole={missingRole} onClick={() => setAsks('change')}>
          Change…
        </Action>
        <Action
          missingRole={missingRole}
          busy={update.isPending}
          onClick={() =>
            isActive
              ? update.mutate({ body: { webhook_id, status: 'paused' } })
              : (setPausedAt(webhook.paused_at), setAsks('resume'))
          }
        >
          {isActive ? 'Pause' : 'Resume…'}
        </Action>
        <Action missingRole={missingRole} why={whyNot ?? recovers} onClick={() => setAsks('recover')}>
          Recover…
        </Action>
        <Action
          missingRole={missingRole}
          why={whyNot}
          busy={test.isPending}
          onClick={() => test.mutate({ body: { webhook_id } })}
        >
          Test
        </Action>
        <Action missingRole={missingRole} onClick={() => setAsks('rotate')}>
          New secret…
        </Action>
        <Action missingRole={missingRole} onClick={() => setAsks('delete')}>
          Delete…
        </Action>
      </div>
      {[update.error, test.error].map((error, n) => error && <Problem key={n} error={error} />)}
      {asks === 'change' && <WebhookForm webhook={webhook} onClose={close} />}
      {asks === 'resume' && <ResumeWebhook webhook={webhook} onClose={close} />}
      {asks === 'recover' && <RecoverWebhook webhook={webhook} pausedAt={pausedAt} onClose={close} />}
      {asks === 'rotate' && (
        <Confirm
          title="Make a new secret"
          action="Make it"
          error={update.error}
          onClose={close}
          onConfirm={() =>
            update.mutate(
              { body: { webhook_id, rotate_secret: true } },
              { onSuccess: (answer) => (close(), setSecret(answer.secret)) },
            )
          }
        >
          The old secret signs for 24 hours more, beside the new one.
        </Confirm>
      )}
      {asks === 'delete' && <Delete webhookId={webhook_id} onClose={close} />}
      {secret && (
        <SecretDialog
          title="The new secret"
          secret={secret}
          hint="It is shown this once."
          onStored={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

function Facts({ webhook }: WebhookProps) {
  const { event_types, ordered, recovery, secret_version, created_at } = webhook;
  return (
    <dl className="facts">
      <dt>Events</dt>
      <dd>{event_types.join(', ')}</dd>
      <dt>Order</dt>
      <dd>{ordered ? 'one event of a job or computer at a time' : 'as they come, four at a time'}</dd>
      {recovery && (
        <>
          <dt>Recovery</dt>
          <dd>
            <Recovery recovery={recovery} />
          </dd>
        </>
      )}
      <dt>Last success</dt>
      <dd>
        <Time at={webhook.last_success_at} exact />
      </dd>
      <dt>Last failure</dt>
      <dd>
        <Time at={webhook.last_failure_at} exact />
      </dd>
      <dt>Secret</dt>
      <dd>version {secret_version}</dd>
      <dt>Created</dt>
      <dd>
        <Time at={created_at} exact />
      </dd>
    </dl>
  );
}

function Delete({ webhookId, onClose }: { readonly webhookId: string; readonly onClose: () => void }) {
  const remove = useChange('deleteWebhook', 'webhooks', 'deliveries', 'overview');
  const [, navigate] = useLocation();
  return (
    <Confirm
      title="Delete the webhook"
      action="Delete"
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate({ body: { webhook_id: webhookId } }, { onSuccess: () => navigate('/webhooks') })
      }
    >
      What is not delivered yet is cancelled. This is final.
    </Confirm>
  );
}
