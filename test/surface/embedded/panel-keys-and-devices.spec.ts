import { JobScene, sceneForAll } from '../../kit/job-scene.js';
import { joined, type Browser } from '../../kit/panel.js';
import { serviceForAll } from '../../kit/service.js';
import { itemsOf, MINUTE, verdict } from '../asking.js';

const service = serviceForAll();
const scene = sceneForAll(service, { slug: 'acme' });
let owner: Browser;
let memberId: string;
beforeAll(async () => {
  ({ browser: owner, memberId } = await joined(service, scene.accountId, 'bea', 'owner'));
});

describe('API keys in the panel', () => {
  const createKey = (more: object = {}) =>
    owner.post('/panel/keys', { name: 'Till', scopes: ['account:read'], ...more });
  const listed = async (keyId: unknown) =>
    itemsOf(await owner.get('/panel/keys')).find(({ key_id }) => key_id === keyId);
  const use = (key: unknown) => service.call('GET', '/svc-api-account', { as: String(key) });

  it('shows the secret once, and the maker of the key', async () => {
    const created = await createKey({ expires_at: service.fromNow(60 * MINUTE) });
    const { api_key: secret, ...shown } = created.body.data!;
    expect(created.status).toBe(201);
    expect(shown).toEqual({
      key_id: expect.any(String),
      name: 'Till',
      scopes: ['account:read'],
      status: 'active',
      last4: String(secret).slice(-4),
      expires_at: service.fromNow(60 * MINUTE),
      created_at: service.clock.now(),
      created_by: { kind: 'member', id: memberId, name: 'bea' },
      last_used_at: null,
      revoked_at: null,
    });
    expect(await listed(shown.key_id)).toEqual(shown);
    expect((await owner.get('/panel/keys')).text).not.toContain(String(secret));
  });

  it('shows the last use to the minute', async () => {
    const { api_key, key_id } = (await createKey()).body.data!;
    const first = service.clock.now();
    await use(api_key);
    // A revocation makes the service look up every key again.
    const other = (await createKey()).body.data!;
    await owner.post(`/panel/keys/${String(other.key_id)}/revoke`);
    service.clock.advance(MINUTE - 1);
    await use(api_key);
    expect(await listed(key_id)).toMatchObject({ last_used_at: first });
    service.clock.advance(1);
    await use(api_key);
    expect(await listed(key_id)).toMatchObject({ last_used_at: service.clock.now() });
  });

  it('refuses a key from its revocation on', async () => {
    const { api_key, key_id } = (await createKey()).body.data!;
    expect((await use(api_key)).status).toBe(200);
    const revoked = await owner.post(`/panel/keys/${String(key_id)}/revoke`);
    expect(revoked.body.data).toMatchObject({ status: 'revoked', revoked_at: service.clock.now() });
    expect(verdict(await use(api_key))).toBe('401 API_KEY_INVALID');
    expect((await owner.post(`/panel/keys/${String(key_id)}/revoke`)).status).toBe(200);
  });

  it('accepts only scopes of the Integration API', async () => {
    expect(verdict(await createKey({ scopes: [] }))).toBe('400 INVALID_REQUEST');
    expect(verdict(await createKey({ scopes: ['panel:keys'] }))).toBe('400 INVALID_REQUEST');
  });

  it('creates none while the account is suspended', async () => {
    await service.operate('POST', `/accounts/${scene.accountId}/suspend`);
    expect(verdict(await createKey())).toBe('403 SVC_ACCOUNT_SUSPENDED');
    expect((await owner.get('/panel/keys')).status).toBe(200);
    await service.operate('POST', `/accounts/${scene.accountId}/resume`);
  });
});

describe('devices in the panel', () => {
  it('enrols a computer with a token shown to the member', async () => {
    const { body, status } = await owner.post('/panel/enrollments', { ttl: 60 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ account_id: scene.accountId, expires_at: service.fromNow(MINUTE) });
    const json = {
      enrollment_token: body.data!.enrollment_token,
      installation_id: memberId,
      hostname: 'BACK-OFFICE',
    };
    const enrolled = await service.call('POST', '/managed/enroll', { json });
    expect(enrolled.body.data).toMatchObject({ account_id: scene.accountId });
    const listedNow = await owner.get('/svc-api-computers');
    expect(itemsOf(listedNow)[0]).toMatchObject({ hostname: 'BACK-OFFICE', status: 'pending' });
  });

  it('disables, enables and revokes a computer', async () => {
    const path = (what: string) => `/panel/computers/${scene.agent.computerId}/${what}`;
    await scene.agent.heartbeat();
    expect((await owner.post(path('disable'))).body.data).toMatchObject({ status: 'disabled' });
    expect(await scene.agent.lease()).toEqual([]);
    expect((await owner.post(path('enable'))).body.data).toMatchObject({ status: 'online' });
    const second = await JobScene.open(service, { slug: 'second' });
    const { browser } = await joined(service, second.accountId, 'bo', 'developer');
    const ofSecond = (what: string) => `/panel/computers/${second.agent.computerId}/${what}`;
    expect((await browser.post(ofSecond('revoke'))).body.data).toMatchObject({ status: 'revoked' });
    expect((await second.agent.heartbeat()).status).toBe(401);
    expect(verdict(await browser.post(ofSecond('enable')))).toBe('409 STATE_CONFLICT');
  });

  it('renames a computer, whatever its Agent reports', async () => {
    const path = `/panel/computers/${scene.agent.computerId}`;
    const patch = (display_name: string) => owner.call('PATCH', path, { display_name });
    const printerNames = async () =>
      itemsOf(await owner.get(`/svc-api-printers?computer_id=${scene.agent.computerId}`)).map(
        ({ computer_name }) => computer_name,
      );
    expect((await patch('Front desk')).body.data).toMatchObject({
      name: 'Front desk',
      hostname: 'FRONT-DESK',
    });
    await scene.agent.start();
    expect(await printerNames()).toEqual(['Front desk']);
    expect((await patch('')).body.data).toMatchObject({ name: 'FRONT-DESK' });
    expect(await printerNames()).toEqual(['FRONT-DESK']);
    expect(verdict(await patch('x'.repeat(121)))).toBe('400 INVALID_REQUEST');
    const actions = itemsOf(await owner.get('/panel/audit')).map(({ action }) => action);
    expect(actions).toContain('ComputerRenamed');
  });

  it('renames, disables and enables a printer, and sets how it takes text', async () => {
    const path = `/panel/printers/${scene.printerId}`;
    const patch = (json: object) => owner.call('PATCH', path, json);
    expect((await patch({ display_name: 'Counter' })).body.data).toMatchObject({ name: 'Counter' });
    expect((await patch({ enabled: false })).body.data).toMatchObject({ enabled: false });
    expect((await patch({ enabled: true, display_name: '' })).body.data).toMatchObject({
      enabled: true,
      name: 'Till 1',
    });
    expect((await patch({ text_encoding: 'cp858' })).body.data).toMatchObject({ text_encoding: 'cp858' });
    expect((await patch({ text_encoding: null })).body.data).not.toHaveProperty('text_encoding');
    expect(verdict(await patch({}))).toBe('400 INVALID_REQUEST');
  });
});
