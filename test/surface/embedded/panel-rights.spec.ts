import { SCOPES_OF_ROLE } from '../../../src/api/panel/session.authenticator.js';
import { JobScene, sceneForAll } from '../../kit/job-scene.js';
import { Browser, joined, operatorBrowser, postWithHost, tokenOf } from '../../kit/panel.js';
import { Conformance } from '../../kit/openapi.js';
import { serviceForAll, type TestService } from '../../kit/service.js';
import { openAccount } from '../../kit/world.js';
import { itemsOf, verdict } from '../asking.js';
import { eventually, INSECURE, WebhookClerk } from '../webhook-asking.js';

const SOME_ID = '01990000-0000-7000-8000-00000000dead';

describe('the rights of a role', () => {
  it('are exactly these scopes; test/chaos/safety checks them on every operation', () => {
    const devices = ['computers:read', 'printers:read', 'jobs:read'];
    const reads = ['account:read', ...devices, 'webhooks:read', 'evidence:read'];
    const writes = ['computers:write', 'jobs:create', 'jobs:cancel', 'jobs:retry', 'webhooks:write'];
    const panel = ['panel:keys', 'panel:printers', 'panel:documents'];
    expect([...SCOPES_OF_ROLE.viewer].sort()).toEqual([...reads].sort());
    expect([...SCOPES_OF_ROLE.developer].sort()).toEqual([...reads, ...writes, ...panel].sort());
    expect([...SCOPES_OF_ROLE.owner].sort()).toEqual([...reads, ...writes, ...panel, 'panel:members'].sort());
  });
});

/** Scopes of the panel's operations (docs/panel.md says what they are for); none for those about the session itself. */
const SCOPE_OF: Readonly<Record<string, string>> = {
  ...{ getOverview: 'jobs:read', openFeed: 'jobs:read', getJobEvents: 'jobs:read' },
  ...{ searchJobs: 'jobs:read', downloadJobs: 'jobs:read', getActivity: 'jobs:read' },
  ...{ listDeliveries: 'webhooks:read' },
  ...{ getAlerts: 'jobs:read', chooseAlerts: 'jobs:read', testAlerts: 'jobs:read' },
  ...{ getJobDeliveries: 'webhooks:read', getDelivery: 'webhooks:read', getJobDocument: 'panel:documents' },
  ...{ previewDocument: 'jobs:read,panel:documents' },
  ...{ createEnrollment: 'computers:write', disableComputer: 'computers:write' },
  ...{
    enableComputer: 'computers:write',
    revokeComputer: 'computers:write',
    renameComputer: 'computers:write',
    updatePrinter: 'panel:printers',
  },
  ...{ getPrinterQueue: 'printers:read,jobs:read', clearPrinterQueue: 'jobs:cancel' },
  ...{ movePrinterQueue: 'jobs:cancel,jobs:create' },
  ...{ listKeys: 'panel:keys', createKey: 'panel:keys', revokeKey: 'panel:keys' },
  ...{ inviteMember: 'panel:members', renewMemberLink: 'panel:members', changeMemberRole: 'panel:members' },
  ...{ removeMember: 'panel:members', listMembers: 'account:read', listAudit: 'account:read' },
  ...{ getEvidenceStatus: 'evidence:read' },
};
const ABOUT_THE_SESSION = [
  ...['getSession', 'signIn', 'signInByLink', 'endSession', 'choosePassword'],
  ...['listSessions', 'endOneSession', 'dismissLinkNotices', 'chooseTheme'],
  ...['visitAccount', 'leaveAccount'],
];

/** What an operation with an id in its path needs beside it. */
const BODIES: Readonly<Record<string, object>> = {
  renameComputer: { display_name: 'Mine' },
  updatePrinter: { enabled: false },
  changeMemberRole: { role: 'viewer' },
  movePrinterQueue: { to_printer_id: SOME_ID },
};

interface Described {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[];
}

describe('the operations of the panel', () => {
  const service = serviceForAll({ env: INSECURE });
  let operations: readonly Described[];
  beforeAll(async () => {
    const document = await Conformance.of(`${service.url}/panel/openapi.json`);
    operations = [...document.operations()].map(([id, { method, path, operation }]) => ({
      ...{ id, method, path },
      scopes: operation['x-svc-permissions'],
    }));
  });

  it('require these scopes, so that none is left open by mistake', () => {
    const required = operations.map(({ id, scopes }) => [id, scopes.join()]);
    const expected = [...Object.entries(SCOPE_OF), ...ABOUT_THE_SESSION.map((id) => [id, ''])];
    expect(required.sort()).toEqual(expected.sort());
  });

  it('find and show nothing of another account', async () => {
    const ours = await JobScene.open(service, { slug: 'ours' });
    const theirs = await JobScene.open(service, { slug: 'theirs' });
    const { browser } = await joined(service, ours.accountId, 'bea', 'owner');
    const ids = await idsOf(service, theirs);
    const ask = ({ id, method, path }: Described, given: (name: string) => string) =>
      browser.call(
        method,
        path.replace(/\{(\w+)\}/, (_, name: string) => given(name)),
        method === 'GET' ? undefined : (BODIES[id] ?? {}),
      );
    for (const operation of operations.filter(({ id }) => id in SCOPE_OF && id !== 'openFeed')) {
      const { id, method, path } = operation;
      if (path.includes('{')) {
        const told = verdict(await ask(operation, (name) => ids[name]!));
        expect([id, told]).toEqual([id, verdict(await ask(operation, () => SOME_ID))]);
        expect([id, told]).toEqual([id, expect.stringMatching(/^404 /)]);
      } else if (method === 'GET') {
        const { text } = await ask(operation, String);
        expect([id, Object.values(ids).filter((theirId) => text.includes(theirId))]).toEqual([id, []]);
      }
    }
  });
});

/** Something of each kind that belongs to the account, by the name in paths. */
async function idsOf(service: TestService, scene: JobScene): Promise<Readonly<Record<string, string>>> {
  const { browser, memberId } = await joined(service, scene.accountId, 'zoe', 'owner');
  const key = await browser.post('/panel/keys', { name: 'Till', scopes: ['account:read'] });
  await new WebhookClerk(service, scene.key).open('http://127.0.0.1:9/');
  const job_id = await scene.create();
  const [delivery] = await eventually(
    async () => itemsOf(await browser.get('/panel/deliveries')),
    ({ length }) => length > 0,
  );
  return {
    ...{ job_id, printer_id: scene.printerId, computer_id: scene.agent.computerId, member_id: memberId },
    ...{ key_id: String(key.body.data!.key_id), delivery_id: String(delivery!.delivery_id) },
  };
}

describe('a session cookie', () => {
  const service = serviceForAll();
  const scene = sceneForAll(service, { slug: 'acme' });
  let browser: Browser;
  beforeAll(async () => {
    ({ browser } = await joined(service, scene.accountId, 'bea', 'owner'));
  });

  const newestPosition = async () => {
    const { items } = await service.operate('GET', '/events?limit=1000');
    return (items as { position: string }[]).at(-1)?.position;
  };
  const invite = (headers: Record<string, string>) =>
    browser.call('POST', '/panel/members', { name: 'mallory', role: 'owner' }, headers);

  it.each<[string, Record<string, string>, string]>([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }, 'CREDENTIAL_INVALID'],
    ['same-site, another port of this machine', { 'sec-fetch-site': 'same-site' }, 'CREDENTIAL_INVALID'],
    ['typed address, which never changes anything', { 'sec-fetch-site': 'none' }, 'CREDENTIAL_INVALID'],
    ['foreign Authorization', { authorization: 'Bearer svc_live_wrong' }, 'CREDENTIAL_INVALID'],
    ['empty Authorization', { authorization: '' }, 'CREDENTIAL_INVALID'],
  ])('is ignored: %s', async (_, headers, code) => {
    const before = await newestPosition();
    expect(verdict(await invite(headers))).toBe(`401 ${code}`);
    expect(await newestPosition()).toBe(before);
  });

  it('is accepted without Fetch Metadata only from the own origin', async () => {
    const headers = { cookie: browser.cookie };
    const post = (origin?: string) =>
      service.call('POST', '/svc-list-webhooks', {
        json: {},
        headers: { ...headers, ...(origin && { origin }) },
      });
    const own = new URL(service.url).origin;
    expect((await post(own)).status).toBe(200);
    for (const origin of [undefined, 'null', 'http://evil.example', 'http://127.0.0.1:1'])
      expect(verdict(await post(origin))).toBe('401 API_KEY_INVALID');
  });

  it('is ignored beside an API key', async () => {
    const { key } = await openAccount(service, { slug: 'other' });
    const both = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' };
    const asKey = await service.call('GET', '/svc-api-account', { as: key });
    const withCookie = await service.call('GET', '/svc-api-account', { as: key, headers: both });
    expect(withCookie.body.data).toEqual(asKey.body.data);
    const operator = await operatorBrowser(service);
    const operated = await operator.call('GET', '/operator/views', undefined, {
      authorization: `Bearer ${key}`,
    });
    expect(operated.status).toBe(401);
  });

  it.each(['evil.example', 'localhost.evil.example:3000', '127.0.0.1.evil.example', 'acme.test:80'])(
    'is ignored under the foreign host %s, which may be a rebound name',
    async (host) => {
      const before = await newestPosition();
      const body = { name: 'mallory', role: 'owner' };
      const said = await postWithHost(`${service.url}/panel/members`, host, browser.cookie, body);
      expect(said).toBe('401 CREDENTIAL_INVALID');
      expect(await newestPosition()).toBe(before);
    },
  );

  it('cannot be set by another site', async () => {
    const { url } = await service.operate('POST', '/panel-links', {});
    const token = tokenOf(String(url));
    const victim = new Browser(service);
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    const refused = await victim.call('POST', '/panel/session/link', { token }, crossSite);
    expect(verdict(refused)).toBe('401 SIGN_IN_REFUSED');
    const rebound = await postWithHost(`${service.url}/panel/session/link`, 'evil.example', '', { token });
    expect(rebound).toBe('401 SIGN_IN_REFUSED');
    expect((await victim.useLink(String(url))).status).toBe(200);
  });

  it('creates a job as its member', async () => {
    await scene.agent.heartbeat();
    const created = await browser.call(
      'POST',
      '/svc-api-print-jobs',
      { printer_id: scene.printerId, content: { type: 'text', encoding: 'utf8', data: 'hello' } },
      { 'idempotency-key': 'panel-send-1' },
    );
    expect(created.status).toBe(201);
  });
});
