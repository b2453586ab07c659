import { FileFolder } from '../../kit/verifiers.js';
import { publishEvidence, eventsIn, sizeOf, taken } from '../../kit/proofs.js';
import { ServiceProcess } from '../../kit/service-process.js';
import type { StoredEvent } from '../../kit/stored-events.js';
import { createJob, openAccount, TestAgent } from '../../kit/world.js';

const folder = new FileFolder();

describe('the evidence of a service that is restored from a backup', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await ServiceProcess.prepare();
    await service.start();
  });
  afterAll(async () => {
    await service.remove();
    folder.remove();
  });

  const rps = async (word: 'backup' | 'restore') => {
    const { code, stderr } = await service.rpsOnStores(word, service.beside('backup'));
    expect([code, stderr]).toEqual([0, '']);
  };

  it('begins a log with a new origin, and proofs of before still hold', async () => {
    const { accountId, key } = await openAccount(service);
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    const print = async () => {
      const jobId = String((await createJob(service, key, printerId)).body.data!.job_id);
      await agent.print();
      return jobId;
    };
    const take = async (path: string) => taken(service, key, path);
    const vkeyOf = async () => (await take('/log/vkey')).trim();
    const expectHolds = (file: string, vkey: string, ...kept: string[]) => {
      for (const findings of folder.findings(file, vkey, ...kept)) expect(findings).toEqual([]);
    };

    const printed = await print();
    await publishEvidence(service);
    const vkey = await vkeyOf();
    const kept = await take('/log/checkpoint');
    await print();
    await publishEvidence(service);
    const files = [
      await take(`/account?since=${sizeOf(kept)}`),
      await take(`/jobs/${printed}?since=${sizeOf(kept)}`),
    ];
    const newest = await take('/log/checkpoint');
    await rps('backup');
    await print();
    await publishEvidence(service);
    const lost = await take('/log/checkpoint');
    await service.end('SIGKILL');
    await service.loseData();
    await rps('restore');
    await service.start();

    expect((await service.call('GET', '/evidence/account', { as: key })).status).toBe(503);
    expect(await publishEvidence(service)).toMatchObject({ halted: null, events_behind: 0 });
    for (const file of files) expectHolds(file, vkey, kept);
    const after = await vkeyOf();
    expect(after).not.toBe(vkey);
    const again = [await take('/account'), await take(`/jobs/${printed}`)];
    for (const [n, file] of again.entries()) {
      expectHolds(file, after);
      const events = eventsIn(files[n]!);
      expect(eventsIn(file).slice(0, events.length)).toEqual(events);
      for (const note of [newest, lost])
        for (const findings of folder.findings(file, after, note)) expect(findings).not.toEqual([]);
    }
    const { items } = await service.operate('GET', '/events?limit=1000');
    const [origin, size, root] = newest.split('\n');
    expect((items as StoredEvent[]).filter(({ type }) => type === 'EvidenceLogStarted')).toMatchObject([
      { data: { vkey } },
      { data: { vkey: after, previous: { origin, size: Number(size), root } } },
    ]);
  });
});
