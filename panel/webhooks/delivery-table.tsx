import { Link } from 'wouter';
import type { ReactNode } from 'react';
import type { PanelDelivery } from '../../sdk/src/generated/panel.js';
import type { Tone } from '../look/job-status.js';
import { useRead } from '../api/reads.js';
import { JobLink } from '../look/job-link.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { NoValue, Status, Time, type Reading } from '../look/parts.js';
import { useTicks } from '../look/use-ticks.js';

export const DELIVERY_STATUS: Readonly<
  Record<PanelDelivery['status'], { readonly tone: Tone; readonly word: string }>
> = {
  pending: { tone: 'waiting', word: 'pending' },
  delivering: { tone: 'moving', word: 'delivering' },
  retry_scheduled: { tone: 'moving', word: 'retry scheduled' },
  delivered: { tone: 'done', word: 'delivered' },
  dead_letter: { tone: 'failed', word: 'failed' },
  cancelled: { tone: 'off', word: 'cancelled' },
};

const REASONS: Readonly<Record<NonNullable<PanelDelivery['failure_code']>, string>> = {
  HTTP_STATUS: 'answered with an error',
  TIMEOUT: 'no answer in time',
  CONNECTION_FAILED: 'the connection failed',
  TLS_FAILED: 'its certificate was not accepted',
  DNS_FAILED: 'its name was not found',
  TARGET_REFUSED: 'its address is not allowed',
  INTERRUPTED: 'the service stopped meanwhile',
};

/** What the receiver answered, or why there is no answer. */
export function reasonOf({
  response_status,
  failure_code,
}: Pick<PanelDelivery, 'response_status' | 'failure_code'>): string {
  if (response_status) return `answered ${response_status}`;
  return failure_code ? REASONS[failure_code] : '–';
}

export function WebhookLink({
  webhook_id,
  webhook_name,
}: Pick<PanelDelivery, 'webhook_id' | 'webhook_name'>) {
  if (webhook_name === null) return 'deleted';
  return (
    <Link href={`/webhooks/${webhook_id}`}>
      <bdi>{webhook_name}</bdi>
    </Link>
  );
}

const ONCE_ACTIVE = 'once it is active';

const COLUMNS: readonly DataColumn<PanelDelivery>[] = [
  {
    ...{ id: 'event', header: 'Event', width: 180, grow: 1 },
    cell: ({ delivery_id, event_type }) => <Link href={`/deliveries/${delivery_id}`}>{event_type}</Link>,
  },
  {
    ...{ id: 'status', header: 'Status', width: 140 },
    cell: ({ status }) => <Status {...DELIVERY_STATUS[status]} />,
  },
  { ...{ id: 'reason', header: 'Last answer', width: 130, grow: 1, priority: 2 }, cell: reasonOf },
  {
    ...{ id: 'job', header: 'Job', width: 140, grow: 2, priority: 2 },
    cell: ({ job_id, job_title }) => (job_id ? <JobLink id={job_id} title={job_title} /> : <NoValue />),
  },
  {
    ...{ id: 'webhook', header: 'Webhook', width: 130, grow: 2, priority: 3 },
    cell: (delivery) => <WebhookLink {...delivery} />,
  },
  {
    ...{ id: 'attempts', header: 'Attempts', width: 90, priority: 5, align: 'end' },
    cell: ({ attempt_count }) => attempt_count,
  },
  {
    ...{ id: 'next', header: 'Next attempt', width: 130, priority: 6 },
    cell: (delivery) => <NextAttempt {...delivery} />,
  },
  {
    ...{ id: 'created', header: 'Created', width: 130, priority: 4 },
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];
const WITHOUT_WEBHOOK = COLUMNS.filter(({ id }) => id !== 'webhook');
const WITHOUT_JOB = COLUMNS.filter(({ id }) => id !== 'job');

/** A paused webhook gets nothing until somebody resumes it. */
export function useIsPaused(webhook_id: string): boolean {
  const { data } = useRead('webhooks', 'listWebhooks', { body: { limit: 1, webhook_id } });
  return data?.webhooks[0]?.status === 'paused';
}

type NextAttemptProps = Pick<PanelDelivery, 'webhook_id' | 'status' | 'next_attempt_at'>;

/** Becomes due by itself. */
export function NextAttempt({ webhook_id, status, next_attempt_at: at }: NextAttemptProps) {
  useTicks();
  if (at === null && status === 'retry_scheduled') return ONCE_ACTIVE;
  return at && Date.parse(at) < Date.now() ? <Due webhookId={webhook_id} /> : <Time at={at} />;
}

function Due({ webhookId }: { readonly webhookId: string }) {
  return useIsPaused(webhookId) ? ONCE_ACTIVE : 'due';
}

interface DeliveryTableProps {
  /** Undefined while they are read. */
  readonly deliveries: readonly PanelDelivery[] | undefined;
  readonly caption: string;
  readonly reading?: Omit<Reading<unknown>, 'data'>;
  readonly empty?: ReactNode;
  /** What all of them are about, and need not name. */
  readonly of?: 'webhook' | 'job';
}

export function DeliveryTable({ deliveries, of, ...rest }: DeliveryTableProps) {
  const columns = of === 'webhook' ? WITHOUT_WEBHOOK : of === 'job' ? WITHOUT_JOB : COLUMNS;
  return <DataTable {...rest} columns={columns} rows={deliveries} idOf={({ delivery_id }) => delivery_id} />;
}
