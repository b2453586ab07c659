import { useState, type FormEvent } from 'react';
import { Link } from 'wouter';
import type { Webhook } from '../../sdk/src/generated/integration.js';
import type { PanelDelivery } from '../../sdk/src/generated/panel.js';
import { useRead } from '../api/reads.js';
import { useFilters } from '../app/address.js';
import { startOf } from '../jobs/filters.js';
import { Empty } from '../look/parts.js';
import { Choose, RangeFields } from '../look/filter-fields.js';
import { Turn } from '../look/turn.js';
import { DELIVERY_STATUS, DeliveryTable } from './delivery-table.js';
import { EVENT_SENTENCES } from './event-groups.js';

const FILTERS = ['status', 'webhook', 'event', 'q', 'from', 'to'] as const;
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

interface DeliveriesProps {
  /** Address of the page, which keeps the filters. */
  readonly path: string;
  /** The one whose deliveries are shown; else people choose among these. */
  readonly webhookId?: string;
  readonly webhooks?: readonly Webhook[];
}

/** Deliveries, filtered and page by page. */
export function Deliveries({ path, webhookId, webhooks = [] }: DeliveriesProps) {
  const [filters, change] = useFilters(path, FILTERS);
  return (
    <section className="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <FilterForm filters={filters} webhooks={webhooks} onChange={change} />
      <DeliveryPages key={JSON.stringify(filters)} {...{ filters, path }} {...(webhookId && { webhookId })} />
    </section>
  );
}

type DeliveryPagesProps = Pick<DeliveriesProps, 'webhookId' | 'path'> & { readonly filters: Filters };

/** A cursor is of one list only: other filters begin anew. */
function DeliveryPages({ filters, path, webhookId }: DeliveryPagesProps) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const query = {
    limit: 25,
    webhook_id: webhookId ?? filters.webhook,
    status: filters.status as PanelDelivery['status'],
    event_type: filters.event as PanelDelivery['event_type'],
    q: filters.q,
    ...intervalOf(filters),
    cursor: cursors.at(-1),
  };
  const read = useRead('deliveries', 'listDeliveries', { query });
  return (
    <>
      <DeliveryTable
        deliveries={read.data?.items}
        reading={read}
        caption="Deliveries, newest first"
        empty={<NoDeliveries isFiltered={Object.values(filters).some(Boolean)} path={path} />}
        {...(webhookId && { of: 'webhook' })}
      />
      <Turn cursors={cursors} next={read.data?.next_cursor} onTurn={setCursors} />
    </>
  );
}

function NoDeliveries({ isFiltered, path }: { readonly isFiltered: boolean; readonly path: string }) {
  if (!isFiltered)
    return (
      <Empty text="No delivery yet. Each event that a webhook is told of makes one, as does its test." />
    );
  return (
    <Empty text="No delivery fits these filters.">
      <Link href={path} className="button">
        Show all deliveries
      </Link>
    </Empty>
  );
}

/** Both ends are in the interval. */
function intervalOf({ from, to }: Pick<Filters, 'from' | 'to'>) {
  const [since, end] = [startOf(from), startOf(to, 1)];
  return { ...(since && { since }), ...(end && { until: new Date(Date.parse(end) - 1).toISOString() }) };
}

interface FilterFormProps {
  readonly filters: Filters;
  readonly webhooks: readonly Webhook[];
  readonly onChange: (changes: Partial<Filters>) => void;
}

function FilterForm({ filters, webhooks, onChange }: FilterFormProps) {
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChange({ q: String(new FormData(event.currentTarget).get('q')).trim() });
  };
  const statuses = Object.entries(DELIVERY_STATUS).map(([value, { word }]) => [value, word] as const);
  return (
    <form className="filters" role="search" onSubmit={search}>
      <label className="field">
        Job, or any id
        <input name="q" type="search" key={filters.q} defaultValue={filters.q} maxLength={160} />
      </label>
      {webhooks.length > 0 && (
        <Choose
          name="Webhook"
          options={webhooks.map(({ webhook_id, description, url }) => [webhook_id, description ?? url])}
          value={filters.webhook}
          onChange={(webhook) => onChange({ webhook })}
        />
      )}
      <Choose
        name="Status"
        options={statuses}
        value={filters.status}
        onChange={(status) => onChange({ status })}
      />
      <Choose
        name="Event"
        options={[...Object.keys(EVENT_SENTENCES), 'webhook.test'].map((type) => [type, type])}
        value={filters.event}
        onChange={(event) => onChange({ event })}
      />
      <RangeFields from={filters.from} to={filters.to} onChange={onChange} />
      <button type="submit">Search</button>
    </form>
  );
}
