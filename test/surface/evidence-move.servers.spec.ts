import { randomBytes } from 'node:crypto';
import { TestPartner } from '../kit/partner.js';
import { eventsIn, publishEvidence, sizeOf, taken } from '../kit/proofs.js';
import { rpsAt } from '../kit/rps-at.js';
import { startTestService, type TestService } from '../kit/service.js';
import { FileFolder } from '../kit/verifiers.js';
import { exported, HOMES, live, type Home } from './export-import.js';
import { INSECURE } from './webhook-asking.js';

const folder = new FileFolder();
afterAll(() => folder.remove());

/** Leaf hashes that the newest checkpoint covers: one tile is enough. */
async function leavesOf(service: TestService, key: string): Promise<string> {
  const size = sizeOf(await taken(service, key, '/log/checkpoint'));
  const headers = { authorization: `Bearer ${key}` };
  const tile = await fetch(`${service.url}/evidence/log/tile/0/000.p/${size}`, { headers });
  expect(tile.status).toBe(200);
  return Buffer.from(await tile.arrayBuffer()).toString('hex');
}

describe('a service that moves to server stores and back', () => {
  const env = { SVC_MASTER_KEY: randomBytes(32).toString('base64'), ...INSECURE };
  const running: TestService[] = [];
  afterAll(() => Promise.all(running.map((service) => service.close())));

  const start = async (home: Home, options: { role?: string; clock?: TestService['clock'] } = {}) => {
    const { role = 'all', clock } = options;
    const more = { env: { ...env, ROLE: role }, ...(clock && { clock }) };
    const service = await startTestService({ ...HOMES[home], ...more });
    running.push(service);
    return service;
  };
  const moved = async (from: TestService, home: Home) => {
    const target = await start(home, { role: 'api', clock: from.clock });
    const text = await exported(from);
    expect(await rpsAt(target, ['events', 'import'], text)).toMatchObject({ code: 0, err: '' });
    expect(await publishEvidence(target)).toMatchObject({ halted: null, events_behind: 0 });
    return target;
  };

  it('has the same entries, leaves and log in each of them, and all proofs hold', async () => {
    const first = await start('sqlite');
    const { account, printed } = await live(first);
    const { key, accountId } = account;
    await TestPartner.open(first);
    await publishEvidence(first);
    const vkey = (await taken(first, key, '/log/vkey')).trim();
    const expectHolds = (file: string, ...kept: string[]) => {
      for (const findings of folder.findings(file, vkey, ...kept)) expect(findings).toEqual([]);
    };
    const take = async (service: TestService) => {
      const path = '/operator/evidence/accounts/system';
      const system = await service.call('GET', path, { as: service.operatorToken });
      expect(system.status).toBe(200);
      return {
        checkpoint: await taken(service, key, '/log/checkpoint'),
        leaves: await leavesOf(service, key),
        account: await taken(service, key, '/account'),
        job: await taken(service, key, `/jobs/${printed}`),
        system: system.text,
      };
    };
    const before = await take(first);
    expect(before.account).toContain(`rps-evidence/1 account ${accountId} 0 `);

    const servers = await moved(first, 'servers');
    const back = await moved(servers, 'sqlite');
    for (const service of [servers, back]) {
      const now = await take(service);
      expect(now.checkpoint.split('\n')[0]).toBe(before.checkpoint.split('\n')[0]);
      expect(now.leaves.startsWith(before.leaves)).toBe(true);
      for (const kind of ['account', 'job', 'system'] as const) {
        const events = eventsIn(before[kind]);
        expect(eventsIn(now[kind]).slice(0, events.length)).toEqual(events);
        expectHolds(now[kind]);
      }
      const since = await taken(service, key, `/account?since=${sizeOf(before.checkpoint)}`);
      expectHolds(since, before.checkpoint, before.account, before.job, before.system);
      expect(await service.operate('POST', '/evidence/audit')).toMatchObject({ total: 0 });
    }
  });
});
