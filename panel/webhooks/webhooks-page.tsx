import { useState } from 'react';
import { Link } from 'wouter';
import type { Webhook } from '../../sdk/src/generated/integration.js';
import { useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { Page } from '../app/page.js';
import { SecretDialog } from '../look/dialogs.js';
import { presetOf } from '../keys/choices.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Action, Empty, Status, Text, Time } from '../look/parts.js';
import { Deliveries } from './deliveries.js';
import { EVENT_PRESETS } from './event-groups.js';
import { WebhookForm } from './webhook-form.js';

export function WebhooksPage() {
  const webhooks = useRead('webhooks', 'listWebhooks', { body: { limit: 1 } });
  const hasNone = webhooks.data?.webhooks.length === 0;
  // Those of webhooks that were deleted.
  const older = useRead('deliveries', 'listDeliveries', { query: { limit: 1 } }, { enabled: hasNone });
  const missingRole = useMissingRole('webhooks:write');
  const [creates, setCreates] = useState(false);
  const [secret, setSecret] = useState<string>();
  const create = (
    <Action main missingRole={missingRole} onClick={() => setCreates(true)}>
      Create a webhook…
    </Action>
  );
  return (
    <Page title="Webhooks" actions={create}>
      <DataTable
        caption="Webhooks, newest first"
        columns={COLUMNS}
        rows={webhooks.data?.webhooks}
        reading={webhooks}
        idOf={({ webhook_id }) => webhook_id}
        empty={<Empty text="No webhook yet. It tells your server what becomes of jobs.">{create}</Empty>}
      />
      {/* Not before the webhooks, whose rows would move it. */}
      {webhooks.data && (!hasNone || older.isError || (older.data?.items.length ?? 0) > 0) && (
        <Deliveries path="/webhooks" webhooks={webhooks.data.webhooks} />
      )}
      {creates && (
        <WebhookForm
          onClose={() => setCreates(false)}
          onSecret={(created) => {
            setCreates(false);
            setSecret(created);
          }}
        />
      )}
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

const COLUMNS: readonly DataColumn<Webhook>[] = [
  {
    ...{ id: 'name', header: 'Webhook', width: 180, grow: 3 },
    cell: ({ webhook_id, description, url }) => (
      <Link href={`/webhooks/${webhook_id}`}>
        <bdi>{description ?? url}</bdi>
      </Link>
    ),
  },
  {
    ...{ id: 'status', header: 'Status', width: 140 },
    cell: (webhook) => <WebhookStatus webhook={webhook} />,
  },
  {
    ...{ id: 'events', header: 'Events', width: 170, grow: 1, priority: 4 },
    cell: ({ event_types }) =>
      presetOf(EVENT_PRESETS, event_types) ??
      (event_types.length === 1 ? event_types[0] : `${event_types.length} events`),
  },
  {
    ...{ id: 'success', header: 'Last success', width: 130, priority: 3 },
    cell: ({ last_success_at }) => <Time at={last_success_at} />,
  },
  {
    ...{ id: 'failure', header: 'Last failure', width: 130, priority: 2 },
    cell: ({ last_failure_at }) => <Time at={last_failure_at} />,
  },
  {
    ...{ id: 'url', header: 'Address', width: 200, grow: 3, priority: 5 },
    // Without a description the address is the name.
    cell: ({ url, description }) => <Text text={description && url} />,
  },
];

export const PAUSED_BECAUSE: Partial<Record<NonNullable<Webhook['paused_reason']>, string>> = {
  endpoint_gone: 'the receiver answered 410',
  backlog_full: 'too many deliveries wait for the receiver',
  failing: 'the receiver has failed for five days',
};

export function WebhookStatus({ webhook: { status, health } }: { readonly webhook: Webhook }) {
  if (health === 'failing') return <Status tone="decision" word="receiver fails" />;
  if (status === 'active') return <Status tone="done" word="active" />;
  return <Status tone="decision" word="paused" />;
}
