import { ChangeCursors } from '../../src/api/change-cursors.js';
import { Changes } from '../../src/api/changes.js';
import { LogIndex } from '../../src/event-sourcing/index.js';
import { WebhookPayloads } from '../../src/contexts/webhooks/index.js';
import { RateLimits } from '../../src/http/admission/rate-limits.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Answered } from '../kit/http/client.js';
import { JobScene } from '../kit/job-scene.js';
import { OpenFeed } from '../kit/panel-feed.js';
import { soon } from '../kit/polling.js';
import { serviceForAll } from '../kit/service.js';
import { cancel, SECOND, verdict } from './asking.js';

interface Item {
  readonly event_id: string;
  readonly event_type: string;
  readonly sequence: number;
  readonly data: { readonly job?: { readonly job_id: string; readonly status: string } };
}

const LIFE = [
  ...['job.created', 'job.queued', 'job.leased', 'job.accepted_by_agent'],
  ...['job.sent_to_spooler', 'job.spooler_completed'],
];

describe('listing changes', () => {
  const service = serviceForAll({ env: { RATE_LIMIT_FACTOR: '10' } });
  let scene: JobScene;
  beforeEach(async () => {
    scene = await JobScene.open(service);
  });

  const PATH = '/svc-api-changes';
  const ask = (
    query: Record<string, string | number> = {},
    headers: Record<string, string> = {},
    as = scene.key,
  ) =>
    service.call('GET', `${PATH}?${new URLSearchParams(query as Record<string, string>)}`, { as, headers });
  const pageIn = ({ body }: Answered) =>
    body.data as unknown as { items: Item[]; next_cursor: string; has_more: boolean };
  const page = async (query: Record<string, string | number> = {}, as?: string) => {
    const asked = await ask(query, {}, as);
    expect(asked.status).toBe(200);
    return pageIn(asked);
  };
  const typesOf = (items: readonly Item[]) => items.map(({ event_type }) => event_type);
  const now = async () => (await page({ after: 'now' })).next_cursor;
  const waiting = () => service.service.app.get(Changes, { strict: false }).waiting;
  /** Resolves when the service has started to wait. */
  const begun = async (query: Record<string, string | number>, seconds: number, as?: string) => {
    const before = waiting();
    const answered = ask(query, { prefer: `wait=${seconds}` }, as);
    await soon(() => waiting() > before);
    return { answered };
  };
  const keyWith = async (...scopes: string[]) => {
    const { api_key: key, key_id } = await service.operate('POST', `/accounts/${scene.accountId}/keys`, {
      scopes,
    });
    return { key: String(key), keyId: String(key_id) };
  };
  const publicOnes = async () => {
    const events = await service.stores.events.readAll({ max: 10_000 });
    const payloads = service.service.app.get(WebhookPayloads, { strict: false });
    const bodies = await Promise.all(events.map((event) => payloads.publicEventAt(event)));
    return bodies
      .filter((told) => told?.accountId === scene.accountId)
      .map((told) => JSON.parse(told!.body.toString()) as Item);
  };

  it('shows the body of each webhook of the account, in the order of the store', async () => {
    await scene.at('completed');
    const { items, has_more } = await page();
    expect(items).toEqual(await publicOnes());
    expect(typesOf(items)).toEqual(
      expect.arrayContaining(['computer.registered', 'printer.detected', ...LIFE]),
    );
    expect(has_more).toBe(false);
  });

  it('goes on with the cursor of the page before, without a gap', async () => {
    await scene.at('completed');
    const all = (await page({ limit: 1000 })).items;
    const seen: Item[] = [];
    for (let after: string | undefined; ;) {
      const one = await page({ limit: 2, ...(after && { after }) });
      seen.push(...one.items);
      after = one.next_cursor;
      if (one.items.length < 2) {
        expect(one.has_more).toBe(false);
        break;
      }
      expect(one.has_more).toBe(true);
    }
    expect(seen).toEqual(all);
  });

  it('begins at this moment with after=now', async () => {
    const jobId = await scene.create();
    const { items, next_cursor } = await page({ after: 'now' });
    expect(items).toEqual([]);
    expect(pageIn(await ask({ after: next_cursor }))).toEqual({ items: [], next_cursor, has_more: false });
    await cancel(service, scene.key, jobId);
    const [cancelled] = (await page({ after: next_cursor })).items;
    expect(cancelled).toMatchObject({ event_type: 'job.cancelled', data: { job: { job_id: jobId } } });
  });

  it('shows the resource as it was right after the event', async () => {
    const after = await now();
    await scene.at('completed');
    const { items } = await page({ after, event_types: LIFE.join() });
    expect(items.map(({ data }) => data.job!.status)).toEqual(LIFE.map((type) => type.slice('job.'.length)));
  });

  it('lists only the types that are asked for', async () => {
    await scene.at('completed');
    const some = { event_types: 'job.leased,computer.online' };
    expect(typesOf((await page(some)).items).sort()).toEqual(['computer.online', 'job.leased']);
    const first = await page({ ...some, limit: 1 });
    expect((await page({ ...some, after: first.next_cursor })).items).toHaveLength(1);
    for (const event_types of ['job.unknown', 'webhook.test', ''])
      expect(verdict(await ask({ event_types }))).toBe('400 SVC_VALIDATION_FAILED');
  });

  it('leaves out what the scopes of the key do not show', async () => {
    await scene.at('completed');
    const subjectsFor = async (scope: string) => {
      const { key } = await keyWith(scope);
      const { items } = await page({}, key);
      return [...new Set(typesOf(items).map((type) => type.split('.')[0]))];
    };
    expect(await subjectsFor('jobs:read')).toEqual(['job']);
    expect(await subjectsFor('computers:read')).toEqual(['computer']);
    expect(await subjectsFor('printers:read')).toEqual(['printer']);
    const { key } = await keyWith('webhooks:read');
    expect(verdict(await ask({}, {}, key))).toBe('403 API_KEY_SCOPE_INSUFFICIENT');
  });

  it('never changes a full page, and lets clients keep it', async () => {
    await scene.at('completed');
    const full = await ask({ limit: 3 });
    const { etag, 'cache-control': kept } = Object.fromEntries(full.headers);
    expect([etag, kept]).toEqual([expect.stringMatching(/^"[^"]+"$/), 'private, immutable']);
    await scene.create();
    const again = await ask({ limit: 3 });
    expect([again.body.data, again.headers.get('etag')]).toEqual([full.body.data, etag]);
    const current = await ask({ limit: 3 }, { 'if-none-match': etag! });
    expect([current.status, current.text]).toEqual([304, '']);
    const left = ({ headers }: Answered) => Number(headers.get('ratelimit-remaining'));
    const counted = await ask({ limit: 3 }, { 'if-none-match': '*' });
    expect([counted.status, left(counted)]).toEqual([304, left(current) - 1]);
    const last = await ask({ limit: 1000 });
    expect([last.headers.get('etag'), last.headers.get('cache-control')]).toEqual([null, 'no-store']);
  });

  describe('with Prefer: wait', () => {
    it('answers as soon as something happens', async () => {
      const { answered } = await begun({ after: await now() }, 25);
      const jobId = await scene.create();
      const { status, headers } = await answered;
      expect([status, headers.get('preference-applied')]).toEqual([200, 'wait=25']);
      expect(pageIn(await answered).items[0]!.data.job!.job_id).toBe(jobId);
    });

    it('answers 304 at the end of the wait, without counting', async () => {
      const after = await now();
      const left = ({ headers }: Answered) => Number(headers.get('ratelimit-remaining'));
      const before = left(await ask({ after }));
      const { answered } = await begun({ after }, 10);
      service.clock.advance(10 * SECOND);
      const { status, text } = await answered;
      expect([status, text, left(await answered)]).toEqual([304, '', before]);
    });

    it('goes on waiting over events of other accounts and other types', async () => {
      const { answered } = await begun({ after: await now(), event_types: 'job.cancelled' }, 25);
      const other = await JobScene.open(service);
      await other.at('completed');
      const jobId = await scene.create();
      await cancel(service, scene.key, jobId);
      expect(typesOf(pageIn(await answered).items)).toEqual(['job.cancelled']);
    });

    it('keeps the place after events that are not wanted', async () => {
      const after = await now();
      const { answered } = await begun({ after, event_types: 'job.cancelled' }, 10);
      await scene.create();
      await service.service.app.get(LogIndex, { strict: false }).reachHead(5_000);
      service.clock.advance(10 * SECOND);
      const { items, next_cursor, has_more } = pageIn(await answered);
      expect([items, has_more]).toEqual([[], false]);
      expect(next_cursor).toBe((await page({ after })).next_cursor);
    });

    it('answers 403 when the account is suspended meanwhile', async () => {
      const { answered } = await begun({ after: await now() }, 10);
      await service.operate('POST', `/accounts/${scene.accountId}/suspend`);
      service.clock.advance(10 * SECOND);
      expect(verdict(await answered)).toBe('403 SVC_ACCOUNT_SUSPENDED');
    });

    it('looks again before it answers a reader that has used up its requests', async () => {
      const limits = service.service.app.get(RateLimits, { strict: false });
      const changes = service.service.app.get(Changes, { strict: false });
      const [{ count }, { read }] = [limits, changes];
      const after = await now();
      const jobId = await scene.create();
      let looks = 0;
      changes.read = (...asked) => read.apply(changes, (looks++, asked));
      const looksFor = async (remaining: number) => {
        limits.count = () => Promise.resolve({ limit: 120, remaining, resetSeconds: 60, exceeded: false });
        looks = 0;
        const { items } = pageIn(await ask({ after, event_types: 'job.created' }, { prefer: 'wait=25' }));
        expect(items.map(({ data }) => data.job!.job_id)).toEqual([jobId]);
        return looks;
      };
      service.clock.advance(SECOND);
      expect(await looksFor(119)).toBe(1);
      expect(await looksFor(0)).toBe(2);
      Object.assign(limits, { count });
      Object.assign(changes, { read });
    });

    it('answers a page with items at once', async () => {
      expect(pageIn(await ask({ limit: 1 }, { prefer: 'wait=25' })).items).toHaveLength(1);
    });

    it('answers 401 when the key is revoked meanwhile', async () => {
      const { key, keyId } = await keyWith('jobs:read');
      const { answered } = await begun({ after: await now() }, 25, key);
      await service.operate('POST', `/keys/${keyId}/revoke`);
      await scene.create();
      expect(verdict(await answered)).toBe('401 API_KEY_INVALID');
    });
  });

  describe('as server-sent events', () => {
    const follow = (query: Record<string, string>, headers: Record<string, string> = {}) =>
      OpenFeed.at(`${service.url}${PATH}?${new URLSearchParams(query)}`, {
        authorization: `Bearer ${scene.key}`,
        accept: 'text/event-stream',
        ...headers,
      });
    const next = async (feed: OpenFeed) => {
      const { id, data } = (await feed.next())!;
      return { id: id!, item: data as unknown as Item };
    };

    /** The next message, while time passes; the stream may begin to wait a little later. */
    const nextInTime = async (feed: OpenFeed) => {
      let isTold = false;
      const told = feed.next().finally(() => (isTold = true));
      await soon(() => {
        if (!isTold) service.clock.advance(15 * SECOND);
        return isTold;
      });
      return told;
    };

    it('shows the same items, each with the cursor after it, and goes on after Last-Event-ID', async () => {
      const after = await now();
      const feed = await follow({ after });
      expect(feed.response.headers.get('content-type')).toBe('text/event-stream');
      await scene.create();
      const [first, second] = [await next(feed), await next(feed)];
      await feed.close();
      const { items, next_cursor } = await page({ after });
      expect([first.item, second.item]).toEqual(items);
      expect(second.id).toBe(next_cursor);
      await scene.lease();
      const again = await follow({ after }, { 'last-event-id': first.id });
      expect([(await next(again)).item, (await next(again)).item.event_type]).toEqual([
        second.item,
        'job.leased',
      ]);
      await again.close();
      await soon(() => waiting() === 0);
    });

    it('writes a comment every 15 seconds, and ends when the key is revoked', async () => {
      const { key, keyId } = await keyWith('jobs:read');
      const feed = await follow({ after: 'now' }, { authorization: `Bearer ${key}` });
      expect(await nextInTime(feed)).toEqual({});
      await service.operate('POST', `/keys/${keyId}/revoke`);
      // Comments of the time before may still come.
      while (await nextInTime(feed));
      expect(await feed.next()).toBeUndefined();
    });
  });

  it('ends waits and streams when the log is rolled back, so that no event is skipped', async () => {
    const changes = service.service.app.get(Changes, { strict: false });
    const isSame = changes.history();
    const { answered } = await begun({ after: await now() }, 25);
    const feed = await OpenFeed.at(`${service.url}${PATH}?after=now`, {
      authorization: `Bearer ${scene.key}`,
      accept: 'text/event-stream',
    });
    await soon(() => waiting() === 2);
    const { listeners } = service.stores.events as unknown as { listeners: { rolledBack(): void } };
    listeners.rolledBack();
    expect(isSame()).toBe(false);
    expect((await answered).status).toBe(503);
    expect(await feed.next()).toBeUndefined();
    await soon(() => waiting() === 0);
  });

  describe('a cursor', () => {
    it('of another account, or changed, is refused', async () => {
      const after = await now();
      const other = await JobScene.open(service);
      expect(verdict(await ask({ after }, {}, other.key))).toBe('400 SVC_VALIDATION_FAILED');
      const changed = `${after.slice(0, -1)}${after.endsWith('A') ? 'B' : 'A'}`;
      for (const given of [changed, after.slice(1), 'x', ''])
        expect(verdict(await ask({ after: given }))).toBe('400 SVC_VALIDATION_FAILED');
    });

    it('of a lost event is answered with how to go on', async () => {
      const jobId = await scene.create();
      const metadata = { at: service.clock.now() };
      const lost = { stream: `job-${jobId}`, id: jobId, position: '', metadata } as RecordedEvent;
      const cursors = service.service.app.get(ChangeCursors, { strict: false });
      const owner = { owner: scene.accountId, surface: 'integration' } as const;
      for (const revision of [0, 7]) {
        const { cursor } = cursors.after(owner, { ...lost, revision });
        const refused = await ask({ after: cursor });
        expect([verdict(refused), refused.body.message]).toEqual([
          '409 SVC_HISTORY_CHANGED',
          expect.stringContaining('after=now'),
        ]);
      }
    });

    it('goes on after every read model was rebuilt', async () => {
      const { items, next_cursor } = await page({ limit: 3 });
      const { items: views } = await service.operate('GET', '/views');
      for (const { name } of views as { name: string }[])
        await service.operate('POST', `/views/${name}/rebuild`);
      const rest = await page({ after: next_cursor });
      expect([...items, ...rest.items]).toEqual((await page()).items);
    });
  });
});
