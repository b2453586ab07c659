import { projectionsFor } from '../../../src/app/projections.js';
import type { AnyProjection } from '../../../src/kernel/projection.js';
import type { RecordedEvent } from '../../../src/kernel/recorded-event.js';
import { joined } from '../../kit/panel.js';
import { TestPartner } from '../../kit/partner.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { INSECURE } from '../../surface/webhook-asking.js';
import { furnish } from './tenant.js';

const ALL = projectionsFor({ presenceTimeoutMs: 60_000 });

/** Partitions divide the streams (docs/decisions/136-projectors-by-partition.md): a second stream may be of another one. */
describe('documents of read models', () => {
  let service: TestService;
  let events: readonly RecordedEvent[];
  beforeAll(async () => {
    service = await startTestService({ env: INSECURE });
    const { accountId } = await furnish(service, await TestPartner.open(service), 'one');
    await chooseAlerts(service, accountId);
    events = await service.stores.events.readAll({ max: 100_000 });
  }, 300_000);
  afterAll(() => service.close());

  it.each(ALL.map((projection) => [projection.view.name, projection] as const))(
    'of %s come from one stream each',
    (_, projection) => {
      const documents = [...streamsByDocument(events, projection)];
      expect(documents.length).toBeGreaterThan(0);
      expect(documents.filter(([, streams]) => streams.size > 1)).toEqual([]);
    },
  );

  it('would be found if they came from several', () => {
    const [jobs] = ALL;
    const byAccount = { ...jobs!, keysOf: ({ metadata }: RecordedEvent) => [metadata.accountId!] };
    const documents = [...streamsByDocument(events, byAccount).values()];
    expect(documents.some((streams) => streams.size > 1)).toBe(true);
  });
});

/** A member's alerts have timers, whose subject is named in the account's stream. */
async function chooseAlerts(service: TestService, accountId: string): Promise<void> {
  const { browser } = await joined(service, accountId, 'bea', 'owner');
  const channels = [{ type: 'slack', to: 'http://127.0.0.1:9/alerts' }];
  const chosen = { kinds: ['job_in_review'], channels, pace: 'at_once', when_over: true, quiet_hours: null };
  const { status } = await browser.call('PUT', '/panel/alerts', chosen);
  expect(status).toBe(200);
}

function streamsByDocument(
  events: readonly RecordedEvent[],
  { handles, keysOf }: AnyProjection,
): ReadonlyMap<string, ReadonlySet<string>> {
  const streams = new Map<string, Set<string>>();
  for (const event of events.filter(({ type }) => handles.includes(type)))
    for (const key of keysOf(event)) streams.set(key, (streams.get(key) ?? new Set()).add(event.stream));
  return streams;
}
