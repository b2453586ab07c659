import { JobScene } from '../../kit/job-scene.js';
import {
  Browser,
  hashQuickly,
  invite,
  joined,
  operatorBrowser,
  PASSWORD,
  quickHash,
} from '../../kit/panel.js';
import { soon } from '../../kit/polling.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { itemsOf, MINUTE, SECOND, verdict } from '../asking.js';

const WRONG = 'not the right password';
type Row = Readonly<Record<string, unknown>>;

let service: TestService;
let scene: JobScene;
let bea: Browser;
let beaId: string;
beforeEach(async () => {
  service = await startTestService({ env: { TRUSTED_PROXIES: '127.0.0.1, ::1' } });
  hashQuickly(service);
  scene = await JobScene.open(service, { slug: 'acme' });
  ({ browser: bea, memberId: beaId } = await joined(service, scene.accountId, 'bea', 'owner'));
  await bea.post('/panel/password', { next: PASSWORD });
});
afterEach(() => service.close());

const entries = async (action: string): Promise<readonly Row[]> =>
  (itemsOf(await bea.get('/panel/audit?limit=100')) as Row[]).filter((entry) => entry.action === action);
const from = (address: string, agent = 'Firefox') => ({ 'x-forwarded-for': address, 'user-agent': agent });
const linkFor = async (browser: Browser, memberId: string) => {
  const { link } = (await browser.post(`/panel/members/${memberId}/link`)).body.data!;
  return (link as { url: string }).url;
};

interface FailuresData {
  readonly count: number;
  readonly sources: readonly object[];
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
/** Failed sign-ins in the stream of access of an account today. */
const storedFor = async (accountId: string) => {
  const path = `/operator/streams/access-${accountId}-${service.clock.now().slice(0, 10)}?limit=100`;
  const { body } = await service.call('GET', path, { as: service.operatorToken });
  const stored = (body.data?.items ?? []) as { type: string; data: FailuresData }[];
  return stored.filter(({ type }) => type.startsWith('SignIn'));
};

describe('the audit of access', () => {
  it('shows each failed sign-in with its address and browser', async () => {
    const link = await linkFor(bea, beaId);
    await new Browser(service).signIn('bea@acme', WRONG, from('192.0.2.1', 'evil \u009b31m'));
    await new Browser(service).signIn('nobody@acme', WRONG, from('192.0.2.2'));
    await new Browser(service).useLink(link, from('192.0.2.3'));
    await new Browser(service).useLink(link, from('192.0.2.4'));
    await soon(async () => (await entries('SignInFailed')).length === 3);
    const failed = (await entries('SignInFailed')).map(({ address, user_agent, subject }) => ({
      ...{ address, user_agent, subject },
    }));
    const member = { kind: 'member', id: beaId, name: 'bea' };
    const ofAddress = (address: string) => failed.find((entry) => entry.address === address);
    expect(ofAddress('192.0.2.1')).toMatchObject({ user_agent: 'evil 31m', subject: member });
    expect(ofAddress('192.0.2.2')).toMatchObject({ subject: { kind: 'account', id: scene.accountId } });
    expect(ofAddress('192.0.2.4')).toMatchObject({ user_agent: 'Firefox', subject: member });
    expect((await entries('SessionOpened'))[0]).toMatchObject({
      ...{ address: '192.0.2.3', user_agent: 'Firefox' },
    });
  });

  it('shows a wrong current password as a failed sign-in of the member', async () => {
    const next = 'three printers and a cat';
    const chosen = await bea.call(
      'POST',
      '/panel/password',
      { current: WRONG, next },
      from('192.0.2.1', 'Chrome'),
    );
    expect(verdict(chosen)).toBe('401 SIGN_IN_REFUSED');
    await soon(async () => (await entries('SignInFailed')).length === 1);
    expect(await entries('SignInFailed')).toMatchObject([
      { address: '192.0.2.1', user_agent: 'Chrome', subject: { kind: 'member', id: beaId, name: 'bea' } },
    ]);
  });

  it('stores failures of unknown accounts for operators', async () => {
    await new Browser(service).signIn('name7@nowhere', WRONG, from('192.0.2.7'));
    await soon(async () => (await storedFor(NOBODY)).length === 1);
    const stored = await storedFor(NOBODY);
    expect(stored).toMatchObject([{ type: 'SignInFailed', data: { address: '192.0.2.7' } }]);
    expect(JSON.stringify(stored)).not.toContain('name7');
    expect(await entries('SignInFailed')).toEqual([]);
  });

  describe('after twenty failures in an hour', () => {
    const fail = async (count: number, addressOf: (n: number) => string) => {
      for (let n = 0; n < count; n++)
        expect((await new Browser(service).signIn(`name${n}@acme`, WRONG, from(addressOf(n)))).status).toBe(
          401,
        );
    };
    beforeEach(async () => {
      await fail(20, (n) => `198.51.100.${n}`);
      await soon(async () => (await storedFor(scene.accountId)).length === 20);
    });

    it('shows those of a minute in one entry, by address', async () => {
      const first = service.clock.now();
      await fail(2, () => '192.0.2.1');
      service.clock.advance(10 * SECOND);
      const last = service.clock.now();
      await fail(1, () => '192.0.2.1');
      await fail(1, () => '192.0.2.2');
      expect(await entries('SignInsFailed')).toEqual([]);
      service.clock.advance(50 * SECOND);
      await soon(async () => (await entries('SignInsFailed')).length > 0);
      expect(await entries('SignInsFailed')).toMatchObject([
        {
          ...{ subject: { kind: 'account', id: scene.accountId }, address: null, failures: 4 },
          sources: [
            { by: 'password', address: '192.0.2.1', count: 3, first_at: first, last_at: last },
            { by: 'password', address: '192.0.2.2', count: 1, first_at: last, last_at: last },
          ],
        },
      ]);
    });

    it('stores a hundred at once', async () => {
      await fail(199, (n) => `192.0.2.${n % 64}`);
      await soon(async () => (await storedFor(scene.accountId)).length === 21);
      expect((await storedFor(scene.accountId)).at(-1)).toMatchObject({
        type: 'SignInsFailed',
        data: { count: 100 },
      });
      service.clock.advance(MINUTE);
      await soon(async () => (await storedFor(scene.accountId)).length === 22);
      expect((await storedFor(scene.accountId)).at(-1)).toMatchObject({ data: { count: 99 } });
    });

    it('counts those beyond a thousand in a minute without their addresses', async () => {
      await fail(1_050, (n) => `10.0.${n % 250}.1`);
      service.clock.advance(MINUTE);
      await soon(async () => (await storedFor(scene.accountId)).length === 31);
      const stored = (await storedFor(scene.accountId)).slice(20);
      expect(stored.map(({ data }) => data.count)).toEqual([...Array(10).fill(100), 50]);
      expect(stored.map(({ data }) => data.sources.length > 0)).toEqual([...Array(10).fill(true), false]);
    });

    it('stores them before the service stops', async () => {
      const stored: { type: string; data: object }[] = [];
      service.stores.events.listen({
        types: new Set(['SignInsFailed']),
        appended: (events) => void stored.push(...events),
      });
      await fail(2, () => '192.0.2.1');
      await service.close();
      service = await startTestService();
      expect(stored).toMatchObject([{ data: { count: 2, sources: [{ address: '192.0.2.1', count: 2 }] } }]);
    });

    it('tries again when the store could not take them', async () => {
      const { events } = service.stores;
      const append = events.append.bind(events);
      let refused = 0;
      events.append = () => Promise.reject(new Error(`the disk is full: ${++refused}`));
      await fail(1, () => '192.0.2.1');
      service.clock.advance(MINUTE);
      await soon(() => refused > 0);
      events.append = append;
      await soon(async () => {
        service.clock.advance(MINUTE);
        return (await storedFor(scene.accountId)).length > 20;
      });
      expect((await storedFor(scene.accountId)).slice(20)).toMatchObject([
        { data: { count: 1, sources: [{ address: '192.0.2.1', count: 1 }] } },
      ]);
    });
  });

  it('shows reads by operators, once in ten minutes', async () => {
    const jobId = await scene.create();
    const olga = await operatorBrowser(service);
    const read = async () => {
      expect((await olga.get(`/operator/contents/${jobId}`)).status).toBe(200);
      expect((await olga.get(`/operator/streams/job-${jobId}`)).status).toBe(200);
    };
    await read();
    await read();
    const olgaOf = { actor: { kind: 'operator', id: 'olga', name: 'olga' } };
    expect(await entries('OperatorOpenedDocument')).toMatchObject([
      { ...olgaOf, subject: { kind: 'job', id: jobId } },
    ]);
    expect(await entries('OperatorReadStream')).toMatchObject([
      { ...olgaOf, subject: { kind: 'stream', id: `job-${jobId}` } },
    ]);
    service.clock.advance(10 * MINUTE);
    await read();
    expect(await entries('OperatorOpenedDocument')).toHaveLength(2);
  });
});

describe('a link made by another person', () => {
  const noticesOf = async (browser: Browser) => (await browser.session())!.link_notices as Row[];

  it('is shown to the member at the next sign-in until dismissed, and names both in the audit', async () => {
    const { browser: carl, memberId } = await joined(service, scene.accountId, 'carl', 'owner');
    await carl.post('/panel/password', { next: PASSWORD });
    expect(await noticesOf(carl)).toEqual([]);
    const url = await linkFor(bea, memberId);
    expect(await noticesOf(carl)).toMatchObject([{ made_by: { id: beaId, name: 'bea' }, used_at: null }]);
    const stolen = new Browser(service);
    await stolen.useLink(url);
    await stolen.post('/panel/session/dismiss-notices');
    const again = new Browser(service);
    await again.signIn('carl@acme', PASSWORD);
    expect(await noticesOf(again)).toMatchObject([{ used_at: service.clock.now() }]);
    expect((await entries('PanelLinkIssued'))[0]).toMatchObject({
      actor: { name: 'bea' },
      subject: { name: 'carl' },
    });
    expect(await entries('SessionOpened')).toContainEqual(
      expect.objectContaining({
        actor: { kind: 'member', id: memberId, name: 'carl' },
        link_by: { kind: 'member', id: beaId, name: 'bea' },
      }),
    );
    await again.post('/panel/session/dismiss-notices');
    expect(await noticesOf(again)).toEqual([]);
  });

  it('is absent if the member made it', async () => {
    await linkFor(bea, beaId);
    expect(await noticesOf(bea)).toEqual([]);
  });
});

describe('the sessions of a member', () => {
  const listed = async (browser = bea) => itemsOf(await browser.get('/panel/sessions')) as Row[];
  const signedIn = async (address = '192.0.2.9') => {
    const browser = new Browser(service);
    await browser.signIn('bea@acme', PASSWORD, from(address));
    return browser;
  };

  it('are listed with their addresses, and ended one by one', async () => {
    service.clock.advance(MINUTE);
    const other = await signedIn();
    const [newest, current] = await listed();
    expect(newest).toMatchObject({ address: '192.0.2.9', user_agent: 'Firefox', current: false });
    expect(current).toMatchObject({ current: true, signed_in_by: 'link' });
    const ended = await bea.post(`/panel/sessions/${String(newest!.session_id)}/end`);
    expect(itemsOf(ended)).toHaveLength(1);
    expect(await other.session()).toBeNull();
    const { browser: carl } = await joined(service, scene.accountId, 'carl', 'owner');
    const foreign = await carl.post(`/panel/sessions/${String(current!.session_id)}/end`);
    expect(verdict(foreign)).toBe('404 SESSION_NOT_FOUND');
  });

  it('are at most twenty: a further one ends the least recently used', async () => {
    const first = await signedIn('192.0.2.1');
    service.clock.advance(MINUTE);
    expect(await bea.session()).not.toBeNull();
    for (let n = 0; n < 18; n++) await signedIn(`192.0.2.${n + 2}`);
    expect(await first.session()).not.toBeNull();
    expect(await listed()).toHaveLength(20);
    service.clock.advance(MINUTE);
    await bea.session();
    for (let n = 0; n < 19; n++) await signedIn(`192.0.3.${n}`);
    expect(await listed()).toHaveLength(20);
    expect(await first.session()).toBeNull();
    expect(await bea.session()).not.toBeNull();
  });

  it('end in a browser that signs in again', async () => {
    const { cookie } = bea;
    await bea.signIn('bea@acme', PASSWORD);
    expect(await listed()).toHaveLength(1);
    bea.cookie = cookie;
    expect(await bea.session()).toBeNull();
  });
});

describe('removing a member', () => {
  it.each([
    [{}, 'active'],
    [{ revoke_keys: true }, 'revoked'],
  ])('with %j names the keys that the member made, then %s', async (body, status) => {
    const { browser: carl, memberId } = await joined(service, scene.accountId, 'carl', 'developer');
    const { key_id } = (await carl.post('/panel/keys', { name: 'Till', scopes: ['jobs:read'] })).body.data!;
    await bea.post('/panel/keys', { name: 'Other', scopes: ['jobs:read'] });
    const removed = await bea.post(`/panel/members/${memberId}/remove`, body);
    expect(removed.body.data!.keys).toMatchObject([{ key_id, name: 'Till', status }]);
    const all = itemsOf(await bea.get('/panel/keys'));
    const active = all.filter((key) => key.status === 'active').map(({ name }) => name);
    expect(active.includes('Till')).toBe(status === 'active');
    expect(active).toContain('Other');
  });
});

describe('signing in during an attack', () => {
  it('prefers a known browser, and a new one to those with many attempts', async () => {
    const ends: (() => void)[] = [];
    hashQuickly(service, async (...given) => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return quickHash(...given);
    });
    const attacks = Array.from({ length: 14 }, async (_, n) => {
      const address = from(`198.51.100.${n}`);
      for (let tries = 0; tries < 3; tries++) await new Browser(service).useLink('x', address);
      return new Browser(service).signIn(`victim${n}@acme`, WRONG, address);
    });
    await soon(() => ends.length === 2);
    await Promise.race(attacks);
    const { url } = await invite(service, scene.accountId, 'carl', 'viewer');
    expect((await new Browser(service).useLink(url, from('192.0.2.8'))).status).toBe(200);
    const fresh = new Browser(service);
    const known = new Browser(service);
    known.known = bea.known;
    const order: string[] = [];
    const entering = [
      fresh
        .signIn('bea@acme', PASSWORD, from('192.0.2.7'))
        .then(({ status }) => order.push(`fresh ${status}`)),
      known
        .signIn('bea@acme', PASSWORD, from('198.51.100.1'))
        .then(({ status }) => order.push(`known ${status}`)),
    ];
    const ended = Promise.all(entering);
    while (order.length < 2) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    expect(order.sort()).toEqual(['fresh 200', 'known 200']);
    let isOver = false;
    const over = Promise.all(attacks).finally(() => (isOver = true));
    while (!isOver) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const statuses = (await over).map(({ status }) => status);
    expect(statuses.every((status) => status === 401 || status === 503)).toBe(true);
    expect(statuses).toContain(503);
  });
});
