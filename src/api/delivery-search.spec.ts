import type { JobQueries } from '../../projections/job-view/job-view.queries.js';
import type { DeliveryDocument } from '../../projections/webhook-deliveries/webhook-deliveries.js';
import type { DeliveryQueries } from '../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import type { EventStore } from '../event-sourcing/index.js';
import type { CreationPosition } from '../kernel/recorded-event.js';
import { NOON } from '../../test/kit/recorded.js';
import { plus } from '../kernel/time.js';
import { creationPositionOf } from '../event-sourcing/projections/creation-order.js';
import { DeliverySearch } from './delivery-search.js';

/** Newest first; every thousandth is of a cancelled job. */
const stored = Array.from({ length: 4_500 }, (_, n) => {
  const event_type = n % 1_000 === 999 ? 'job.cancelled' : 'job.created';
  const created_at = plus(NOON, -n * 60_000);
  return { delivery_id: `delivery-${n}`, event_type, source_stream: 'job-1', created_at } as DeliveryDocument;
});
const positions = stored.map(({ created_at: at }, n) => {
  const position = String(stored.length - n).padStart(20, '0');
  return creationPositionOf({ position, metadata: { at } }, 0);
});

const deliveries = {
  findDeliveries: (_: string, __: object, { limit, after }: { limit: number; after?: CreationPosition }) => {
    const start = after === undefined ? 0 : positions.findIndex((position) => position < after);
    if (start < 0) return Promise.resolve({ documents: [], positions: [] });
    const documents = stored.slice(start, start + limit);
    return Promise.resolve({ documents, positions: positions.slice(start, start + limit) });
  },
} as unknown as DeliveryQueries;
const none = () => Promise.resolve([]);
const search = new DeliverySearch({ getJobs: none } as unknown as JobQueries, deliveries, {} as EventStore);

async function walk(filters: object, limit: number) {
  const pages: string[][] = [];
  let after: CreationPosition | undefined;
  do {
    const page = { limit, ...(after !== undefined && { after }) };
    const { documents, next } = await search.find('account-1', filters, page);
    pages.push(documents.map(({ delivery_id }) => delivery_id));
    after = next;
  } while (after !== undefined);
  return pages;
}

describe('searching for deliveries', () => {
  it('goes on after the deliveries that one page looks through', async () => {
    expect(await walk({ event_type: 'job.cancelled' }, 5)).toEqual([
      ['delivery-999', 'delivery-1999'],
      ['delivery-2999', 'delivery-3999'],
      [],
    ]);
  });

  it('repeats and skips none at the border of a page', async () => {
    expect(await walk({ event_type: 'job.cancelled' }, 1)).toEqual(
      expect.arrayContaining([['delivery-999'], ['delivery-1999'], ['delivery-2999'], ['delivery-3999']]),
    );
    expect((await walk({ event_type: 'job.created' }, 100)).flat()).toHaveLength(4_496);
    expect((await walk({}, 100)).flat()).toEqual(stored.map(({ delivery_id }) => delivery_id));
  });

  it('finds those of a time span without looking through the others', async () => {
    const span = { since: plus(NOON, -4_003 * 60_000), until: plus(NOON, -4_001 * 60_000) };
    expect(await walk(span, 5)).toEqual([['delivery-4001', 'delivery-4002', 'delivery-4003']]);
    expect(await walk({ ...span, event_type: 'job.cancelled' }, 5)).toEqual([[]]);
  });
});
