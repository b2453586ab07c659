import { useState } from 'react';
import { Link } from 'wouter';
import type { Webhook } from '../../sdk/src/generated/integration.js';
import { useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { useFilters } from '../app/address.js';
import { Page } from '../app/page.js';
import { SecretDialog } from '../look/dialogs.js';
import { Action, Empty, Foreign, Read, Status, Table, Time } from '../look/parts.js';
import { DELIVERY_STATUS, DeliveryTable, type DeliveryRow } from './delivery-table.js';
import { WebhookForm } from './webhook-form.js';

export function WebhooksPage() {
  const [filters, change] = useFilters('/webhooks', ['status']);
  const status = (filters.status || undefined) as keyof typeof DELIVERY_STATUS | undefined;
  const webhooks = useRead('webhooks', 'listWebhooks', { body: { limit: 50, ...(status && { status }) } });
  const missingRole = useMissingRole('webhooks:write');
  const [creates, setCreates] = useState(false);
  const [secret, setSecret] = useState<string>();
  const create = (
    <Action main missingRole={missingRole} onClick={() => setCreates(true)}>
      Create a webhook
    </Action>
  );
  return (
    <Page title="Webhooks" actions={create}>
      <Read of={webhooks}>
        {(listed) => (
          <>
            {listed.webhooks.length === 0 ? (
              <Empty text="No webhook yet." />
            ) : (
              <WebhookTable webhooks={listed.webhooks} />
            )}
            <section className="stack" aria-labelledby="deliveries">
              <h2 id="deliveries">Deliveries</h2>
              <label className="field">
                Status
                <select value={filters.status} onChange={(event) => change({ status: event.target.value })}>
                  <option value="">every status</option>
                  {Object.entries(DELIVERY_STATUS).map(([value, { word }]) => (
                    <option key={value} value={value}>
                      {word}
                    </option>
                  ))}
                </select>
              </label>
              {listed.deliveries.length === 0 ? (
                <p className="quiet">None.</p>
              ) : (
                <DeliveryTable
                  deliveries={listed.deliveries as readonly DeliveryRow[]}
                  caption="The 50 newest deliveries"
                />
              )}
            </section>
            {creates && (
              <WebhookForm
                eventTypes={listed.event_types}
                onClose={() => setCreates(false)}
                onSecret={(created) => {
                  setCreates(false);
                  setSecret(created);
                }}
              />
            )}
          </>
        )}
      </Read>
      {secret && (
        <SecretDialog
          title="The secret of the webhook"
          secret={secret}
          hint="It is shown this once. Your receiver checks the signatures with it."
          onStored={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <Table
      caption="Webhooks, newest first"
      columns={['Address', 'Status', 'Events', 'Last success', 'Last failure']}
    >
      {webhooks.map((webhook) => (
        <tr key={webhook.webhook_id}>
          <th scope="row">
            <Link href={`/webhooks/${webhook.webhook_id}`}>
              <bdi>{webhook.description ?? webhook.url}</bdi>
            </Link>
            {webhook.description && (
              <>
                {' '}
                <Foreign text={webhook.url} />
              </>
            )}
          </th>
          <td data-label="Status">
            <WebhookStatus webhook={webhook} />
          </td>
          <td data-label="Events">{webhook.event_types.length}</td>
          <td data-label="Last success">
            <Time at={webhook.last_success_at} />
          </td>
          <td data-label="Last failure">
            <Time at={webhook.last_failure_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const PAUSED_BECAUSE: Partial<Record<NonNullable<Webhook['paused_reason']>, string>> = {
  endpoint_gone: 'the receiver answered 410',
  backlog_full: 'too many deliveries wait for the receiver',
};

export function WebhookStatus({ webhook: { status, paused_reason } }: { readonly webhook: Webhook }) {
  if (status === 'active') return <Status tone="done" word="active" />;
  const why = paused_reason && PAUSED_BECAUSE[paused_reason];
  return <Status tone="decision" word={why ? `paused: ${why}` : 'paused'} />;
}
