import { serviceForAll } from '../../kit/service.js';
import { ManualReceiver, failing } from '../../kit/manual-receiver.js';
import { openAccount, TestAgent } from '../../kit/world.js';
import { eventually, WebhookClerk } from '../webhook-asking.js';

describe('webhook metrics', () => {
  const receiver = new ManualReceiver();
  const service = serviceForAll({ env: { METRICS_PUBLIC: 'true' }, webhookClient: receiver });

  const metrics = async () => {
    const text = await (await fetch(service.url.replace('/v1', '/metrics'))).text();
    const lines = text.split('\n').filter((line) => line.startsWith('rps_webhook_'));
    return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]));
  };

  it('counts outcomes, pending deliveries and the delivery lag', async () => {
    const { accountId, key } = await openAccount(service);
    const clerk = new WebhookClerk(service, key);
    await clerk.open('https://one.example.com/', { event_types: ['computer.registered'] });
    await clerk.open('https://two.example.com/', { event_types: ['computer.registered'] });
    receiver.behave('https://two.example.com/', failing);
    await TestAgent.enrol(service, accountId);
    const seen = await eventually(
      metrics,
      (all) =>
        all['rps_webhook_deliveries_total{outcome="delivered"}'] === '1' &&
        all['rps_webhook_deliveries_total{outcome="retry_scheduled"}'] === '1',
    );
    expect(seen['rps_webhook_deliveries_pending{queue="waiting"}']).toBe('1');
    expect(seen['rps_webhook_deliveries_pending{queue="ready"}']).toBe('0');
    expect(seen['rps_webhook_delivery_lag_seconds_count']).toBe('2');
  });
});
