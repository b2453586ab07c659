import { Link } from 'wouter';
import type { PanelDelivery } from '../../sdk/src/generated/panel.js';
import type { Tone } from '../job/verdict.js';
import { Status, Table, Time } from '../look/parts.js';

export type DeliveryRow = Pick<
  PanelDelivery,
  'delivery_id' | 'event_type' | 'status' | 'attempt_count' | 'created_at'
> & {
  readonly response_status?: number | null | undefined;
  readonly failure_code?: string | null | undefined;
  readonly next_attempt_at?: string | null | undefined;
};

export const DELIVERY_STATUS: Readonly<
  Record<PanelDelivery['status'], { readonly tone: Tone; readonly word: string }>
> = {
  pending: { tone: 'waiting', word: 'pending' },
  delivering: { tone: 'moving', word: 'delivering' },
  retry_scheduled: { tone: 'moving', word: 'retry scheduled' },
  delivered: { tone: 'done', word: 'delivered' },
  dead_letter: { tone: 'failed', word: 'tried no more' },
  cancelled: { tone: 'off', word: 'cancelled' },
};

export function DeliveryTable({
  deliveries,
  caption,
}: {
  readonly deliveries: readonly DeliveryRow[];
  readonly caption: string;
}) {
  return (
    <Table
      caption={caption}
      columns={['Event', 'Status', 'Attempts', 'Last answer', 'Next attempt', 'Created']}
    >
      {deliveries.map((delivery) => (
        <tr key={delivery.delivery_id}>
          <th scope="row">
            <Link href={`/deliveries/${delivery.delivery_id}`}>{delivery.event_type}</Link>
          </th>
          <td data-label="Status">
            <Status {...DELIVERY_STATUS[delivery.status]} />
          </td>
          <td data-label="Attempts">{delivery.attempt_count}</td>
          <td data-label="Last answer">{delivery.response_status ?? delivery.failure_code ?? '–'}</td>
          <td data-label="Next attempt">
            <Time at={delivery.next_attempt_at} />
          </td>
          <td data-label="Created">
            <Time at={delivery.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
