import { serviceForEach } from '../../kit/service.js';
import { Browser, hashQuickly, invite, joined, operatorBrowser, PASSWORD, tokenOf } from '../../kit/panel.js';
import { openAccount } from '../../kit/world.js';
import { itemsOf, MINUTE, verdict } from '../asking.js';

const HOUR = 60 * MINUTE;

describe('signing in to the panel', () => {
  const service = serviceForEach();
  let accountId: string;
  beforeEach(async () => {
    hashQuickly(service);
    ({ accountId } = await openAccount(service, { slug: 'acme' }));
  });

  const browser = () => new Browser(service);

  it('invites a member, whose link opens a session', async () => {
    const { url, memberId, signInName } = await invite(service, accountId, 'bea', 'developer');
    expect(url).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:${new URL(service.url).port}/panel/#/enter/svc_link_live_\\w{71}$`),
    );
    expect(signInName).toBe('bea@acme');
    const bea = browser();
    expect(await bea.session()).toBeNull();
    const opened = await bea.useLink(url);
    expect(opened.status).toBe(200);
    expect(opened.body.data!.session).toMatchObject({
      kind: 'member',
      person_id: memberId,
      sign_in_name: 'bea@acme',
      role: 'developer',
      has_password: false,
      old_password_not_needed: true,
      account: { account_id: accountId, slug: 'acme', status: 'active' },
    });
    expect(await bea.session()).toMatchObject({ person_id: memberId });
  });

  it('sets a cookie that scripts, other sites and other services of this machine cannot use', async () => {
    const { url } = await invite(service, accountId, 'bea', 'viewer');
    const opened = await browser().useLink(url);
    const { port } = new URL(service.url);
    const [session, known] = opened.headers.getSetCookie();
    expect(known).toMatch(
      new RegExp(`^svc_known_${port}=\\S+; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000$`),
    );
    expect(session).toMatch(
      new RegExp(`^svc_panel_${port}=svc_session_live_\\w{71}; HttpOnly; SameSite=Strict; Path=/$`),
    );
  });

  it('uses a link once', async () => {
    const { url } = await invite(service, accountId, 'bea', 'viewer');
    await browser().useLink(url);
    const again = await browser().useLink(url);
    expect(verdict(again)).toBe('401 SIGN_IN_REFUSED');
    expect(again.body.message).toBe('This link was used. Ask for a new one.');
    expect(again.headers.get('set-cookie')).toBeNull();
  });

  it('lets one of two racing browsers use a link', async () => {
    const { url } = await invite(service, accountId, 'bea', 'viewer');
    const answers = await Promise.all(Array.from({ length: 5 }, () => browser().useLink(url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it("ends an invitation after 72 hours, a new link after 30 minutes, an operator's after 10", async () => {
    const { url, memberId } = await invite(service, accountId, 'bea', 'viewer');
    service.clock.advance(72 * HOUR - 1);
    const { link } = await service.operate('POST', `/members/${memberId}/link`);
    expect(verdict(await browser().useLink(url))).toBe('401 SIGN_IN_REFUSED');
    service.clock.advance(30 * MINUTE);
    const late = await browser().useLink((link as { url: string }).url);
    expect(late.body.message).toBe('This link has expired. Ask for a new one.');
    const ofOperator = await service.operate('POST', '/panel-links', { name: 'olga' });
    service.clock.advance(10 * MINUTE);
    expect(verdict(await browser().useLink(String(ofOperator.url)))).toBe('401 SIGN_IN_REFUSED');
  });

  it('chooses a password after the link, and signs in with it', async () => {
    const { browser: bea, signInName } = await joined(service, accountId, 'bea', 'viewer');
    expect((await bea.post('/panel/password', { next: PASSWORD })).status).toBe(200);
    expect(await bea.session()).toMatchObject({ has_password: true });
    const elsewhere = browser();
    expect((await elsewhere.signIn(signInName, PASSWORD)).status).toBe(200);
    expect(await elsewhere.session()).toMatchObject({ sign_in_name: 'bea@acme' });
    expect((await browser().signIn('BEA@Acme', PASSWORD)).status).toBe(200);
  });

  it('accepts the same password in another Unicode form', async () => {
    const { browser: bea, signInName } = await joined(service, accountId, 'bea', 'viewer');
    const password = 'crème brûlée à la carte';
    await bea.post('/panel/password', { next: password.normalize('NFD') });
    for (const form of ['NFC', 'NFD'])
      expect((await browser().signIn(signInName, password.normalize(form))).status).toBe(200);
  });

  it('requires the old password from ten minutes after the link on', async () => {
    const { browser: bea } = await joined(service, accountId, 'bea', 'viewer');
    await bea.post('/panel/password', { next: PASSWORD });
    service.clock.advance(10 * MINUTE);
    const next = 'three printers and a cat';
    expect(verdict(await bea.post('/panel/password', { next }))).toBe('401 SIGN_IN_REFUSED');
    expect(verdict(await bea.post('/panel/password', { current: 'not the right password', next }))).toBe(
      '401 SIGN_IN_REFUSED',
    );
    expect((await bea.post('/panel/password', { current: PASSWORD, next })).status).toBe(200);
  });

  it.each([
    ['fourteen chars', 'The password must have 15 to 128 characters.'],
    ['abcd'.repeat(5), 'The password must have at least five different characters.'],
    ['my name is Bea today', 'The password must not contain your name or that of the account.'],
    ['welcome to ACME printing', 'The password must not contain your name or that of the account.'],
    ['PasswordPassword1', 'Many people use this password. Choose another one.'],
  ])('refuses the password %s', async (next, message) => {
    const { browser: bea } = await joined(service, accountId, 'bea', 'viewer');
    const refused = await bea.post('/panel/password', { next });
    expect(verdict(refused)).toBe('400 PASSWORD_REFUSED');
    expect(refused.body.message).toBe(message);
  });

  it('gives the same refusal for every wrong name and password', async () => {
    const { browser: bea } = await joined(service, accountId, 'bea', 'viewer');
    await bea.post('/panel/password', { next: PASSWORD });
    await invite(service, accountId, 'new', 'viewer');
    const wrong = [
      ['bea@acme', 'not the right password'],
      ['nobody@acme', PASSWORD],
      ['bea@nowhere', PASSWORD],
      ['bea', PASSWORD],
      ['bea@acme@acme', PASSWORD],
      ['new@acme', PASSWORD],
      ['constructor@acme', PASSWORD],
    ] as const;
    const answers = await Promise.all(wrong.map(([name, password]) => browser().signIn(name, password)));
    const told = answers.map(({ status, body: { code, message } }) => ({ status, code, message }));
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(told[0]).toMatchObject({ status: 401, code: 'SIGN_IN_REFUSED' });
  });

  it('lets members of a suspended account sign in and read, but not those of a closed one', async () => {
    const { browser: bea, signInName } = await joined(service, accountId, 'bea', 'owner');
    await bea.post('/panel/password', { next: PASSWORD });
    await service.operate('POST', `/accounts/${accountId}/suspend`);
    const elsewhere = browser();
    expect((await elsewhere.signIn(signInName, PASSWORD)).status).toBe(200);
    expect((await elsewhere.get('/svc-api-print-jobs')).status).toBe(200);
    expect((await elsewhere.post('/svc-list-webhooks')).status).toBe(200);
    const refused = await elsewhere.post('/svc-delete-webhook', { webhook_id: accountId });
    expect(verdict(refused)).toBe('403 SVC_ACCOUNT_SUSPENDED');
    expect(verdict(await elsewhere.post('/panel/members', { name: 'new', role: 'viewer' }))).toBe(
      '403 SVC_ACCOUNT_SUSPENDED',
    );
    await service.operate('POST', `/accounts/${accountId}/close`);
    expect(await elsewhere.session()).toBeNull();
    expect(verdict(await browser().signIn(signInName, PASSWORD))).toBe('401 SIGN_IN_REFUSED');
    const { link } = await service.operate('POST', `/members/${await idOf(signInName)}/link`);
    expect(verdict(await browser().useLink((link as { url: string }).url))).toBe('401 SIGN_IN_REFUSED');
  });

  it('stores no secret in an event or a read model', async () => {
    const { url } = await invite(service, accountId, 'bea', 'viewer');
    const bea = browser();
    await bea.useLink(url);
    await bea.post('/panel/password', { next: PASSWORD });
    await bea.signIn('bea@acme', PASSWORD);
    const stored = await service.call('GET', '/operator/events?limit=1000', { as: service.operatorToken });
    const listed = await service.call('GET', `/operator/accounts/${accountId}/members`, {
      as: service.operatorToken,
    });
    for (const secret of [tokenOf(url), bea.cookie.split('=')[1]!, PASSWORD, 'scrypt$']) {
      expect(secret.length).toBeGreaterThan(5);
      expect(stored.text + listed.text).not.toContain(secret);
    }
    expect(stored.text).toContain('"MemberPasswordSet"');
  });

  it('names the person in the events of a session', async () => {
    const { browser: bea, memberId } = await joined(service, accountId, 'bea', 'owner');
    await bea.post('/panel/members', { name: 'carl', role: 'viewer' });
    const olga = await operatorBrowser(service);
    await olga.post(`/operator/accounts/${accountId}/suspend`);
    const events = itemsOf(
      await service.call('GET', '/operator/events?limit=1000', { as: service.operatorToken }),
    );
    const actorsOf = (type: string) =>
      events
        .filter((event) => event.type === type)
        .map(({ metadata }) => (metadata as { actor: unknown }).actor);
    expect(actorsOf('MemberInvited')).toEqual([
      { kind: 'operator', id: 'operator' },
      { kind: 'member', id: memberId },
    ]);
    expect(actorsOf('SessionOpened')).toEqual([
      { kind: 'member', id: memberId },
      { kind: 'operator', id: 'olga' },
    ]);
    expect(actorsOf('AccountSuspended')).toEqual([{ kind: 'operator', id: 'olga' }]);
  });

  async function idOf(signInName: string): Promise<string> {
    const { items } = await service.operate('GET', `/accounts/${accountId}/members`);
    const member = (items as Record<string, unknown>[]).find((one) => one.sign_in_name === signInName);
    return String(member!.member_id);
  }
});
