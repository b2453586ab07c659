import { serviceForAll } from '../kit/service.js';
import { ALL_SCOPES, openAccount } from '../kit/world.js';
import { itemsOf, MINUTE, verdict } from './asking.js';

const SOME_ID = '01990000-0000-7000-8000-00000000dead';

describe('API keys', () => {
  const service = serviceForAll();
  let accountId: string;
  beforeAll(async () => {
    ({ accountId } = await openAccount(service));
  });

  const operator = (method: string, path: string, json?: object) =>
    service.call(method, `/operator${path}`, { as: service.operatorToken, ...(json && { json }) });
  const getAccount = (key: string) => service.call('GET', '/svc-api-account', { as: key });
  const createKey = async (json: object = { scopes: ['account:read'] }) => {
    const key = await service.operate('POST', `/accounts/${accountId}/keys`, json);
    return { keyId: String(key.key_id), key: String(key.api_key) };
  };

  it('shows a key only at its creation', async () => {
    const made = await operator('POST', `/accounts/${accountId}/keys`, {
      scopes: ['jobs:read', 'jobs:create'],
      name: 'Till',
    });
    expect(made.status).toBe(201);
    const { key_id, api_key } = made.body.data as Record<string, string>;
    expect(api_key).toMatch(/^svc_live_[0-9A-Za-z]{43,}$/);
    const listed = await operator('GET', `/accounts/${accountId}/keys`);
    expect(itemsOf(listed)[0]).toMatchObject({
      key_id,
      name: 'Till',
      scopes: ['jobs:read', 'jobs:create'],
      last4: api_key!.slice(-4),
      status: 'active',
    });
    expect(listed.text).not.toContain(api_key);
    expect(listed.text).not.toContain('hash');
  });

  it('refuses missing or unknown scopes and scopes of the Partner surface', async () => {
    for (const scopes of [[], ['jobs:everything'], ['accounts:write'], 'jobs:read'])
      expect(verdict(await operator('POST', `/accounts/${accountId}/keys`, { scopes }))).toBe(
        '400 INVALID_REQUEST',
      );
    expect(verdict(await operator('POST', `/accounts/${SOME_ID}/keys`, { scopes: ALL_SCOPES }))).toBe(
      '404 ACCOUNT_NOT_FOUND',
    );
  });

  it('answers the same 401 for every fault of a key', async () => {
    const { key, keyId } = await createKey();
    await service.operate('POST', `/keys/${keyId}/revoke`);
    const flipped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    const wrongs = ['', 'x', flipped, key.replace('live', 'test'), key, `svc_live_${'0'.repeat(80)}`];
    const answers = [
      await service.call('GET', '/svc-api-account'),
      await service.call('GET', '/svc-api-account', { headers: { authorization: 'Basic YTpi' } }),
      ...(await Promise.all(wrongs.map(getAccount))),
    ];
    for (const answered of answers) {
      const { request_id, correlation_id, ...rest } = answered.body;
      expect(answered.headers.get('www-authenticate')).toBe('Bearer');
      expect(rest).toEqual({
        contract: 'svc_api_error_v1',
        code: 'API_KEY_INVALID',
        message: answers[0]!.body.message,
        status: 401,
        retryable: false,
      });
    }
  });

  it('rejects a revoked key at once, and no other', async () => {
    const [gone, stays] = await Promise.all([createKey(), createKey()]);
    expect((await getAccount(gone.key)).status).toBe(200);
    const revoked = await operator('POST', `/keys/${gone.keyId}/revoke`);
    expect(revoked.body.data).toMatchObject({ key_id: gone.keyId, status: 'revoked' });
    expect(verdict(await getAccount(gone.key))).toBe('401 API_KEY_INVALID');
    expect((await getAccount(stays.key)).status).toBe(200);
    expect((await operator('POST', `/keys/${gone.keyId}/revoke`)).status).toBe(200);
    expect(verdict(await operator('POST', `/keys/${SOME_ID}/revoke`))).toBe('404 KEY_NOT_FOUND');
  });

  it('rejects a key from its expiry on, and lists it as expired', async () => {
    const expires_at = service.fromNow(10 * MINUTE);
    const { key } = await createKey({ scopes: ['account:read'], expires_at });
    const listed = async () => itemsOf(await operator('GET', `/accounts/${accountId}/keys`))[0]!.status;
    await service.advance(10 * MINUTE - 1);
    expect([(await getAccount(key)).status, await listed()]).toEqual([200, 'active']);
    await service.advance(1);
    expect([verdict(await getAccount(key)), await listed()]).toEqual(['401 API_KEY_INVALID', 'expired']);
  });

  it('lists keys newest first, with their total', async () => {
    const { accountId: other } = await openAccount(service);
    for (const name of ['a', 'b'])
      await service.operate('POST', `/accounts/${other}/keys`, { scopes: ['jobs:read'], name });
    const listed = await operator('GET', `/accounts/${other}/keys?limit=2`);
    expect(itemsOf(listed).map(({ name }) => name)).toEqual(['b', 'a']);
    expect(listed.body.data!.total).toBe(3);
  });
});
