import { sceneForAll } from '../kit/job-scene.js';
import { serviceForAll } from '../kit/service.js';
import { openAccount, TestAgent } from '../kit/world.js';
import { idOf, itemsOf, verdict } from './asking.js';

const UNKNOWN = '01990000-0000-7000-8000-00000000dead';

describe('an operator in an account', () => {
  const service = serviceForAll();
  const north = sceneForAll(service);
  const south = sceneForAll(service);

  const inAccount = (
    account: string,
    method: string,
    path: string,
    json?: object,
    as = service.operatorToken,
  ) => service.call(method, path, { as, headers: { 'x-svc-account': account }, ...(json && { json }) });

  it('reads what the account has, and nothing of another one', async () => {
    const printers = await inAccount(north.accountId, 'GET', '/svc-api-printers');
    expect(itemsOf(printers).map(({ printer_id }) => printer_id)).toEqual([north.printerId]);
    const job = await south.create();
    expect(verdict(await inAccount(north.accountId, 'GET', `/svc-api-print-jobs/${job}`))).toBe(
      '404 SVC_JOB_NOT_FOUND',
    );
    const upper = await inAccount(south.accountId.toUpperCase(), 'GET', `/svc-api-print-jobs/${job}`);
    expect(upper.status).toBe(200);
  });

  it('acts as the operator in events', async () => {
    const job = await north.create();
    const cancelled = await inAccount(north.accountId, 'POST', `/svc-api-print-jobs/${job}/cancel`, {});
    expect(verdict(cancelled)).toBe('200 SVC_JOB_CANCELLED');
    const { items } = await service.operate('GET', `/streams/job-${job}`);
    expect((items as object[]).at(-1)).toMatchObject({
      type: 'JobCancelled',
      metadata: { accountId: north.accountId, actor: { kind: 'operator', id: 'operator' } },
    });
  });

  it('is refused without the header, and for what is no open account', async () => {
    const { accountId } = await openAccount(service);
    await service.operate('POST', `/accounts/${accountId}/close`, {});
    const bare = await service.call('GET', '/svc-api-printers', { as: service.operatorToken });
    expect(verdict(bare)).toBe('401 API_KEY_INVALID');
    for (const account of [accountId, UNKNOWN, '', 'x'.repeat(300), '../account'])
      expect(verdict(await inAccount(account, 'GET', '/svc-api-printers'))).toBe('401 API_KEY_INVALID');
  });

  it('reads a suspended account and changes nothing in it', async () => {
    const { accountId } = await openAccount(service);
    await service.operate('POST', `/accounts/${accountId}/suspend`, {});
    expect((await inAccount(accountId, 'GET', '/svc-api-printers')).status).toBe(200);
    const created = await inAccount(accountId, 'POST', '/svc-create-webhook', {
      url: 'https://example.com/',
    });
    expect(verdict(created)).toBe('403 SVC_ACCOUNT_SUSPENDED');
  });

  it('gives other credentials nothing by the header', async () => {
    const own = await inAccount(south.accountId, 'GET', '/svc-api-printers', undefined, north.key);
    expect(itemsOf(own).map(({ printer_id }) => printer_id)).toEqual([north.printerId]);
    const { agent } = await TestAgent.ready(service, south.accountId);
    const device = await inAccount(south.accountId, 'GET', '/svc-api-printers', undefined, agent.credential);
    expect(verdict(device)).toBe('401 API_KEY_INVALID');
    const wrong = `${service.operatorToken.slice(0, -1)}${service.operatorToken.endsWith('0') ? '1' : '0'}`;
    expect(verdict(await inAccount(south.accountId, 'GET', '/svc-api-printers', undefined, wrong))).toBe(
      '401 API_KEY_INVALID',
    );
  });

  it('counts on no other surface', async () => {
    const ofPartner = [`/accounts/${north.accountId}/jobs`, '/managed/changes'];
    for (const path of [...ofPartner, '/agent/printers', '/panel/jobs'])
      expect((await inAccount(north.accountId, 'GET', path)).status).toBe(401);
  });

  it('leaves the proofs to the operations of operators, which the audit shows', async () => {
    const jobId = idOf(await north.submit());
    for (const path of ['/evidence/account', `/evidence/jobs/${jobId}`])
      expect((await inAccount(north.accountId, 'GET', path)).status).toBe(401);
  });
});
