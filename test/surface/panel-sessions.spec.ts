import { JobPolling } from '../../src/api/polling.js';
import { JobScene } from '../kit/job-scene.js';
import { soon } from '../kit/polling.js';
import { serviceForEach, startTestService } from '../kit/service.js';
import { Browser, invite, joined, PASSWORD } from '../kit/panel.js';
import { openAccount } from '../kit/world.js';
import { MINUTE, verdict } from './asking.js';

const HOUR = 60 * MINUTE;

describe('sessions of the panel', () => {
  const service = serviceForEach();
  let accountId: string;
  beforeEach(async () => {
    ({ accountId } = await openAccount(service, { slug: 'acme' }));
  });

  const isOpen = async (browser: Browser) => (await browser.session()) !== null;
  const member = (name = 'bea', role = 'developer') => joined(service, accountId, name, role);
  /** Signs in a second time, in another browser. */
  const elsewhere = async (memberId: string) => {
    const { link } = await service.operate('POST', `/members/${memberId}/link`);
    const browser = new Browser(service);
    await browser.useLink((link as { url: string }).url);
    return browser;
  };

  it('end a session of a member after 12 hours without a request', async () => {
    const { browser } = await member();
    service.clock.advance(12 * HOUR - 1);
    expect(await isOpen(browser)).toBe(true);
    service.clock.advance(12 * HOUR - 1);
    expect(await isOpen(browser)).toBe(true);
    service.clock.advance(12 * HOUR);
    expect(await isOpen(browser)).toBe(false);
    expect(verdict(await browser.get('/svc-api-account'))).toBe('401 API_KEY_INVALID');
  });

  it('write the time of the last request at most once a minute', async () => {
    const { browser } = await member();
    const noted: string[] = [];
    const record = service.stores.liveness.recordHeartbeat.bind(service.stores.liveness);
    service.stores.liveness.recordHeartbeat = async (keys, at) => {
      noted.push(...keys.filter((key) => key.startsWith('session:')));
      await record(keys, at);
    };
    for (let second = 0; second < 180; second += 10) {
      await browser.session();
      service.clock.advance(10_000);
    }
    expect(noted).toHaveLength(2);
  });

  it('use the current role of the member', async () => {
    const { browser, memberId } = await member('bea', 'owner');
    await member('carl', 'owner');
    expect((await browser.post('/panel/members', { name: 'dora', role: 'viewer' })).status).toBe(201);
    await service.operate('POST', `/members/${memberId}/role`, { role: 'viewer' });
    expect(await browser.session()).toMatchObject({ role: 'viewer' });
    expect(verdict(await browser.post('/panel/members', { name: 'emil', role: 'viewer' }))).toBe(
      '403 SCOPE_REQUIRED',
    );
  });

  it('end at once when the member signs out', async () => {
    const { browser, memberId } = await member();
    const other = await elsewhere(memberId);
    const { cookie } = browser;
    const ended = await browser.post('/panel/session/end');
    expect(ended.headers.get('set-cookie')).toMatch(
      /^svc_panel_\d+=; HttpOnly; SameSite=Strict; Path=\/; Max-Age=0$/,
    );
    browser.cookie = cookie;
    expect(await isOpen(browser)).toBe(false);
    expect(await isOpen(other)).toBe(true);
  });

  it('end together when the member signs out everywhere, is removed, or the account is closed', async () => {
    const bea = await member();
    const second = await elsewhere(bea.memberId);
    await bea.browser.post('/panel/session/end', { everywhere: true });
    expect(await isOpen(second)).toBe(false);
    const third = await elsewhere(bea.memberId);
    expect(await isOpen(third)).toBe(true);
    await service.operate('POST', `/members/${bea.memberId}/remove`);
    expect(await isOpen(third)).toBe(false);
    const carl = await member('carl');
    await service.operate('POST', `/accounts/${accountId}/close`);
    expect(await isOpen(carl.browser)).toBe(false);
  });

  it('end except for the current one when the member chooses a new password', async () => {
    const { browser, memberId } = await member();
    const other = await elsewhere(memberId);
    await browser.post('/panel/password', { next: PASSWORD });
    expect([await isOpen(browser), await isOpen(other)]).toEqual([true, false]);
    const next = 'three printers and a cat';
    const third = await elsewhere(memberId);
    await third.post('/panel/password', { next });
    expect([await isOpen(browser), await isOpen(third)]).toEqual([false, true]);
  });

  it('are found by no other secret of the same id, and by none if two cookies have the name', async () => {
    const { browser } = await member();
    const [name, secret] = browser.cookie.split('=') as [string, string];
    const forged = new Browser(service);
    forged.cookie = `${name}=${secret.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))}`;
    expect(await isOpen(forged)).toBe(false);
    forged.cookie = `${browser.cookie}; ${browser.cookie}`;
    expect(await isOpen(forged)).toBe(false);
  });

  it('are looked up again when a long poll ends', async () => {
    const scene = await JobScene.open(service);
    const { browser, memberId } = await joined(service, scene.accountId, 'bea', 'viewer');
    const jobId = await scene.create();
    const path = `/svc-api-print-jobs/${jobId}`;
    const etag = (await browser.get(path)).headers.get('etag')!;
    const polling = service.service.app.get(JobPolling, { strict: false });
    const answered = browser.call('GET', path, undefined, { 'if-none-match': etag, prefer: 'wait=25' });
    await soon(() => polling.waiting > 0);
    await service.operate('POST', `/members/${memberId}/remove`);
    await scene.lease();
    expect(verdict(await answered)).toBe('401 API_KEY_INVALID');
  });

  it('do not exist with PANEL=off, like the panel', async () => {
    const off = await startTestService({ env: { PANEL: 'off' } });
    try {
      const { accountId: theirs } = await openAccount(off);
      const { url } = await invite(off, theirs, 'bea', 'owner');
      const browser = new Browser(off);
      expect(verdict(await browser.useLink(url))).toBe('404 SVC_ROUTE_NOT_FOUND');
      expect(verdict(await browser.get('/panel/session'))).toBe('404 SVC_ROUTE_NOT_FOUND');
      expect((await off.call('GET', '/panel/openapi.json')).status).toBe(404);
    } finally {
      await off.close();
    }
  });
});
