import { SCOPES_OF_ROLE, SessionAuthenticator } from '../../../src/api/panel/session.authenticator.js';
import { runningOperations } from '../../chaos/safety/running-operations.js';
import { sceneForAll } from '../../kit/job-scene.js';
import { type Browser, joined, operatorBrowser } from '../../kit/panel.js';
import { serviceForAll } from '../../kit/service.js';
import { itemsOf, MINUTE, verdict } from '../asking.js';

const SOME_ID = '01990000-0000-7000-8000-00000000dead';

describe('an operator who visits an account', () => {
  const service = serviceForAll();
  const scene = sceneForAll(service, { name: 'Demo bakery', slug: 'demo-bakery' });
  let jobId: string;
  let operator: Browser;
  beforeAll(async () => {
    jobId = await scene.create({ title: 'Receipt' });
  });
  beforeEach(async () => void (operator = await operatorBrowser(service)));

  const visit = (browser = operator, accountId = scene.accountId) =>
    browser.post(`/panel/accounts/${accountId}/visit`);

  it('sees it as a viewer does, and is no operator meanwhile', async () => {
    expect((await visit()).body.data).toEqual({
      account_id: scene.accountId,
      ends_at: service.fromNow(30 * MINUTE),
    });
    expect(await operator.session()).toMatchObject({
      ...{ kind: 'operator', display_name: 'olga', role: 'viewer', scopes: SCOPES_OF_ROLE.viewer },
      ...{ account: { slug: 'demo-bakery' }, visit_ends_at: service.fromNow(30 * MINUTE) },
    });
    const { items } = (await operator.get('/svc-api-print-jobs')).body.data!;
    expect(items).toMatchObject([{ title: 'Receipt' }]);
    expect((await operator.get('/panel/overview')).status).toBe(200);
    expect(verdict(await operator.get(`/panel/jobs/${jobId}/document`))).toBe('403 SCOPE_REQUIRED');
    expect(verdict(await operator.get('/panel/alerts'))).toBe('401 CREDENTIAL_INVALID');
    expect(verdict(await operator.get('/operator/service'))).toBe('401 CREDENTIAL_INVALID');
  });

  it('changes nothing: these are all operations that do not only read', () => {
    const changing = runningOperations(service).filter(
      ({ surface: { name }, auth, callers, scopes = [], route }) =>
        ['integration', 'panel'].includes(name) &&
        auth !== 'none' &&
        (callers?.includes('visitor') ?? true) &&
        scopes.every((scope) => SCOPES_OF_ROLE.viewer.includes(scope)) &&
        !route.startsWith('GET '),
    );
    expect(changing.map(({ id }) => id).sort()).toEqual([
      ...['endSession', 'leaveAccount', 'listWebhookDeliveries', 'listWebhooks'],
    ]);
  });

  it('is in the audit of the account, with name and address', async () => {
    await visit();
    await operator.post('/panel/session/leave-account');
    const { browser: owner } = await joined(service, scene.accountId, 'bea', 'owner');
    const entries = itemsOf(await owner.get('/panel/audit?limit=100'));
    const [left, visited] = entries.filter(({ action }) => String(action).startsWith('Account'));
    const who = {
      actor: { kind: 'operator', id: 'olga' },
      subject: { kind: 'account', id: scene.accountId },
    };
    expect([left, visited]).toMatchObject([
      { action: 'AccountLeft', ...who },
      { action: 'AccountVisited', ...who, address: '127.0.0.1' },
    ]);
  });

  it('is an operator again after leaving, and after half an hour', async () => {
    await visit();
    expect((await operator.post('/panel/session/leave-account')).status).toBe(200);
    const isBack = async () => {
      expect(verdict(await operator.get('/svc-api-print-jobs'))).toBe('401 API_KEY_INVALID');
      expect((await operator.get('/operator/service')).status).toBe(200);
      expect(await operator.session()).toMatchObject({ account: null, role: null, visit_ends_at: null });
    };
    await isBack();
    await visit();
    service.clock.advance(30 * MINUTE - 1);
    expect((await operator.get('/svc-api-print-jobs')).status).toBe(200);
    service.clock.advance(1);
    await isBack();
    expect(verdict(await operator.post('/panel/session/leave-account'))).toBe('401 CREDENTIAL_INVALID');
  });

  it('ends long requests that began as an operator', async () => {
    const sessions = service.service.app.get(SessionAuthenticator, { strict: false });
    const secret = operator.cookie.slice(operator.cookie.indexOf('=') + 1);
    const { isStillValid } = (await sessions.authenticate(secret))!;
    expect(await isStillValid()).toBe(true);
    await visit();
    expect(await isStillValid()).toBe(false);
  });

  it('finds no account that is unknown or closed, and none that closes meanwhile', async () => {
    expect(verdict(await visit(operator, SOME_ID))).toBe('404 ACCOUNT_NOT_FOUND');
    const { account_id } = await service.operate('POST', '/accounts', { name: 'Short-lived' });
    await visit(operator, String(account_id));
    expect((await operator.get('/svc-api-account')).status).toBe(200);
    await service.operate('POST', `/accounts/${String(account_id)}/close`);
    expect(verdict(await operator.get('/svc-api-account'))).toBe('401 API_KEY_INVALID');
    expect(verdict(await visit(operator, String(account_id)))).toBe('409 ACCOUNT_CLOSED');
  });

  it('is no member, and no program', async () => {
    const { browser } = await joined(service, scene.accountId, 'zoe', 'owner');
    expect(verdict(await visit(browser))).toBe('401 CREDENTIAL_INVALID');
    const path = `/panel/accounts/${scene.accountId}/visit`;
    const withToken = await service.call('POST', path, { as: service.operatorToken, json: {} });
    expect(verdict(withToken)).toBe('401 CREDENTIAL_INVALID');
  });
});
