import { webhookDeliveriesView } from '../../projections/webhook-deliveries/webhook-deliveries.js';
import { failing, ManualReceiver, taken } from '../kit/manual-receiver.js';
import { until } from '../kit/polling.js';
import { startTestService, type TestService } from '../kit/service.js';
import { onePrinter, openAccount, TestAgent } from '../kit/world.js';
import { eventually, WebhookClerk, webhookIn } from './webhook-asking.js';

const URL = 'https://shop.example.com/';
/** Of which each is detected and comes online: a webhook is counted after 1,000 deliveries. */
const PRINTERS = Array.from({ length: 500 }, (_, n) => ({ ...onePrinter, printer_key: `till-${n}` }));

describe('a webhook with too many unfinished deliveries', () => {
  const receiver = new ManualReceiver();
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ webhookClient: receiver });
  });
  afterAll(() => service.close());

  /** Counts 9,000 unfinished deliveries more than there are. */
  function countMore() {
    const { views } = service.stores;
    const count = views.count.bind(views);
    views.count = async (view, where) =>
      (await count(view, where)) + (view.name === webhookDeliveriesView.name ? 9_000 : 0);
  }

  it('is paused with the reason, and delivers waiting events after a resume', async () => {
    countMore();
    const { accountId, key } = await openAccount(service);
    const clerk = new WebhookClerk(service, key);
    const { webhookId } = await clerk.open(URL);
    // The first attempt fails, further ones are not answered.
    receiver.behaviours.set(URL, (request) => request === receiver.requests[0] && request.answer(failing));
    await TestAgent.ready(service, accountId, PRINTERS);
    const paused = async () => (await clerk.list()).webhooks.find(({ status }) => status === 'paused');
    expect(await until('a paused webhook', 30_000, paused)).toMatchObject({ paused_reason: 'backlog_full' });
    const delivered = async () => (await clerk.list({ status: 'delivered' })).deliveries.length;
    expect(await delivered()).toBe(0);

    receiver.behave(URL, taken);
    for (const request of receiver.held) request.answer(failing);
    const active = webhookIn(await clerk.update(webhookId, { status: 'active' }));
    expect([active.status, active.paused_reason]).toEqual(['active', undefined]);
    await eventually(delivered, (n) => n > 0);
  });
});
