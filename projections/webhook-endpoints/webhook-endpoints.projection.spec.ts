import {
  PUBLIC_EVENT_TYPES,
  type EndpointEvent,
} from '../../src/contexts/webhooks/domain/endpoint.events.js';
import * as the from '../../test/kit/examples/webhooks.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { webhookEndpointsProjection } from './webhook-endpoints.projection.js';
import { WebhookQueries } from './webhook-endpoints.queries.js';
import { webhookResource } from '../../src/api/resources/webhook.resource.js';
import { TestViews } from '../../test/kit/views.js';

const after = (...events: EndpointEvent[]) =>
  project(webhookEndpointsProjection, recorded(the.WEBHOOKS_STREAM, ...events));
const DAY = 86_400_000;

describe('showing a webhook', () => {
  it('shows its settings, but no secret', () => {
    const document = after(the.created()).get(the.WEBHOOK_ID)!;
    expect(JSON.stringify(document)).not.toContain('first');
    expect(webhookResource(document)).toStrictEqual({
      contract: 'svc_webhook_v1',
      webhook_id: the.WEBHOOK_ID,
      url: 'https://hooks.example.com',
      description: 'orders',
      event_types: PUBLIC_EVENT_TYPES,
      status: 'active',
      secret_version: 1,
      created_at: NOON,
      updated_at: NOON,
    });
  });

  it('shows the reason of a pause, the last success and the signing secret', () => {
    const events = [the.created(), the.rotated('second', 2, the.later(DAY)), the.paused('endpoint_gone')];
    const document = after(...events).get(the.WEBHOOK_ID)!;
    expect(webhookResource(document, { lastSuccessAt: NOON, lastFailureAt: the.later(1) })).toMatchObject({
      status: 'paused',
      paused_reason: 'endpoint_gone',
      secret_version: 2,
      updated_at: the.later(2000),
      last_success_at: NOON,
      last_failure_at: the.later(1),
    });
    expect(webhookResource(after(...events, the.resumed).get(the.WEBHOOK_ID)!)).not.toHaveProperty(
      'paused_reason',
    );
  });

  it('shows changes, ignores tests, and disappears when deleted', () => {
    const changed = after(
      the.created(),
      the.updated({ description: 'all', eventTypes: ['job.failed'] }),
      the.tested(),
    );
    expect(changed.get(the.WEBHOOK_ID)).toMatchObject({
      description: 'all',
      event_types: ['job.failed'],
      updated_at: the.later(1000),
      sequence: 1,
    });
    expect(after(the.created(), the.deleted).size).toBe(0);
  });
});

describe('showing a recovery', () => {
  const views = new TestViews([webhookEndpointsProjection]);
  const queries = new WebhookQueries(views.store);
  const running = [the.created(), the.recovering(7), the.advanced(3, the.later(9))];
  const shown = (...events: EndpointEvent[]) =>
    webhookResource(after(...events).get(the.WEBHOOK_ID)!, {}).recovery;

  it('shows its progress and its end', () => {
    const recovery = {
      ...{ recovery_id: the.RECOVERY_ID, since: NOON, until: the.later(60_000), events: 7 },
      started_at: the.later(1000),
    };
    expect(shown(...running)).toEqual({ ...recovery, status: 'running', recovered: 3 });
    expect(shown(...running, the.recovered(5))).toEqual({
      ...{ ...recovery, status: 'finished', recovered: 5, finished_at: the.later(3000) },
    });
  });

  it('lists the webhooks with a running one, also paused ones', async () => {
    const paused = recorded<EndpointEvent>(the.WEBHOOKS_STREAM, ...running, the.paused(), the.recovered(5));
    views.project(paused.slice(0, -1));
    const items = [{ accountId: the.ACCOUNT_ID, webhookId: the.WEBHOOK_ID }];
    expect(await queries.recovering({ limit: 9 })).toEqual({ items });
    views.project(paused.slice(-1));
    expect(await queries.recovering({ limit: 9 })).toEqual({ items: [] });
  });
});

describe('listing webhooks', () => {
  it('finds those of the account, newest first, and all active ones', async () => {
    const views = new TestViews([webhookEndpointsProjection]);
    const other = the.created(the.OTHER_ID, the.elsewhere('other'));
    views.project(recorded<EndpointEvent>(the.WEBHOOKS_STREAM, the.created(), other, the.paused()));
    const queries = new WebhookQueries(views.store);
    const ids = (found: readonly { webhook_id: string }[]) => found.map((it) => it.webhook_id);
    expect(ids(await queries.listWebhooks(the.ACCOUNT_ID))).toEqual([the.OTHER_ID, the.WEBHOOK_ID]);
    expect(await queries.listWebhooks('another account')).toEqual([]);
    expect(await queries.getWebhook(the.ACCOUNT_ID, the.OTHER_ID)).toMatchObject({ status: 'active' });
    expect(await queries.getWebhook('another account', the.OTHER_ID)).toBeUndefined();
    expect(await queries.active({ limit: 9 })).toEqual({
      items: [{ accountId: the.ACCOUNT_ID, webhookId: the.OTHER_ID }],
    });
  });
});
