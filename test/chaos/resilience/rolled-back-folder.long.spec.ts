import { cp, rename, rm } from 'node:fs/promises';
import { ServiceProcess } from '../../kit/service-process.js';
import { createJob, openAccount, TestAgent, type Leased } from '../../kit/world.js';

let service: ServiceProcess;
beforeEach(async () => {
  service = await ServiceProcess.prepare();
});
afterEach(() => service.remove());

/** The three answers with a position, in one life of the agent. */
async function positionsOf(agent: TestAgent): Promise<{ seen: string; printed: Leased }> {
  const json = { session_id: agent.sessionId, wait_seconds: 0, max: 1 };
  const leased = (await agent.call('POST', '/leases', { json })).body.data!;
  const [printed] = leased.leases as Leased[];
  await agent.accept(printed!);
  const permit = (await agent.handoff(printed!)).body.data!;
  const [seen] = [String(leased.position), String(permit.position)].sort().reverse();
  return { seen: seen!, printed: printed! };
}

/** The gauge, the answer of /health/ready and its details. */
async function alarm(): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${await service.operatorToken()}` };
  const text = await (await fetch(service.url.replace('/v1', '/metrics'), { headers })).text();
  const ready = await fetch(service.url.replace('/v1', '/health/ready'));
  const { details } = (await ready.json()) as { details: Record<string, number> };
  return [/^rps_store_rolled_back (\d)$/m.exec(text)?.[1], ready.status, details];
}

describe('replacing the data folder by an old copy', () => {
  it('prints no job twice that was handed out since the copy, and reports the rollback', async () => {
    await service.start();
    const { accountId, key } = await openAccount(service);
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    const create = async () => String((await createJob(service, key, printerId)).body.data!.job_id);
    const statusOf = async (jobId: string) =>
      (await service.call('GET', `/svc-api-print-jobs/${jobId}`, { as: key })).body.data;
    const jobs = [await create(), await create(), await create()];
    await agent.print();
    const [handedOff] = await agent.lease(1);
    await agent.accept(handedOff!);
    await agent.handoff(handedOff!);
    await service.end('SIGTERM');
    const copy = `${service.dataDir}-copy`;
    await cp(service.dataDir, copy, { recursive: true });

    await service.start();
    await agent.report(handedOff!, 'spooled');
    await agent.report(handedOff!, 'spooler_completed');
    const { seen, printed } = await positionsOf(agent);
    expect(printed.job_id).toBe(jobs[2]);
    await agent.report(printed, 'spooled');
    await agent.report(printed, 'spooler_completed');
    await service.end('SIGKILL');
    await rm(service.dataDir, { recursive: true });
    await rename(copy, service.dataDir);

    await service.start();
    expect(await alarm()).toEqual(['0', 200, { store_rolled_back: 0 }]);
    expect(await statusOf(jobs[2]!)).toMatchObject({ status: 'queued' });
    const fresh = await create();
    const started = await agent.call('POST', '/sessions', {
      json: {
        installation_id: agent.installationId,
        agent_version: '1.0.0',
        operating_system: 'Windows 11',
        hostname: 'FRONT-DESK',
        journal: [],
        seen,
      },
    });
    agent.sessionId = String(started.body.data!.session_id);
    expect(await alarm()).toEqual(['1', 200, { store_rolled_back: 1 }]);
    expect((await agent.lease()).map(({ job_id }) => job_id)).toEqual([fresh]);
    expect(await statusOf(jobs[0]!)).toMatchObject({ status: 'spooler_completed' });
    for (const jobId of jobs.slice(1)) {
      expect(await statusOf(jobId)).toMatchObject({ status: 'manual_review', failure_code: 'RESTORED' });
    }
    const { stderr } = await service.end('SIGTERM');
    expect(stderr.match(/The store went back in time/g)).toHaveLength(1);
    expect(stderr).toContain(agent.computerId);
    await service.start();
    expect(await alarm()).toEqual(['1', 200, { store_rolled_back: 1 }]);
  });
});
