import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentProcess } from '../../kit/agent-process.js';
import { ServiceProcess } from '../../kit/service-process.js';
import { soon } from '../../kit/polling.js';
import { createJob, openAccount } from '../../kit/world.js';

describe('restoring a backup after the service has printed more', () => {
  let service: ServiceProcess;
  let agent: AgentProcess;
  let key: string;
  let printerId: string;

  beforeAll(async () => {
    service = await ServiceProcess.prepare();
    await service.start();
    const account = await openAccount(service);
    key = account.key;
    const enrollment = await service.operate('POST', `/accounts/${account.accountId}/enrollments`, {});
    agent = await AgentProcess.prepare(service.url, String(enrollment.enrollment_token));
    agent.start();
    const printers = async () =>
      (await service.call('GET', '/svc-api-printers', { as: key })).body.data!.items as Printer[];
    await soon(async () => (await printers())[0]?.status === 'online');
    printerId = (await printers())[0]!.printer_id;
  });
  afterAll(async () => {
    await agent.remove();
    await service.remove();
  });

  interface Printer {
    readonly printer_id: string;
    readonly status: string;
  }

  const create = async () => String((await createJob(service, key, printerId)).body.data!.job_id);
  const jobOf = async (id: string) =>
    (await service.call('GET', `/svc-api-print-jobs/${id}`, { as: key })).body.data!;
  const reaches = (id: string, status: string) => soon(async () => (await jobOf(id)).status === status);
  const rps = async (word: 'backup' | 'restore') => {
    const { code, stdout, stderr } = await service.rpsOnStores(word, service.beside('backup'));
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  /** Number of prints per job. */
  const copies = async (id: string) =>
    [...(await agent.printed()).keys()].filter((name) => name.startsWith(id)).length;

  it('prints nothing automatically, and leaves every decision to an operator', async () => {
    const finished = await create();
    await reaches(finished, 'spooler_completed');
    await agent.kill('SIGTERM');
    const handedOff = await create();
    agent.start('--simulate', 'crash=after-submit,times=1');
    await agent.end();
    const queued = await create();
    const backup = await rps('backup');
    expect(backup).toMatchObject({ events: expect.any(Number), warnings: [] });

    agent.start();
    await reaches(queued, 'spooler_completed');
    await agent.kill('SIGTERM');
    const port = new URL(service.url).port;
    await service.end('SIGKILL');
    await service.loseData();
    expect(await rps('restore')).toMatchObject({ backup_time: backup.time, events: backup.events });
    await service.start({ PORT: port });

    agent.start();
    const fresh = await create();
    await reaches(fresh, 'spooler_completed');
    expect(await Promise.all([finished, handedOff, queued, fresh].map(copies))).toEqual([1, 1, 1, 1]);
    expect((await jobOf(finished)).status).toBe('spooler_completed');
    for (const id of [handedOff, queued]) {
      const job = await jobOf(id);
      expect(['manual_review', 'spooler_completed']).toContain(job.status);
      const opened = (job.history as Record<string, unknown>[]).find(
        ({ event_type }) => event_type === 'job.manual_review',
      );
      expect(JSON.stringify(opened)).toContain('RESTORED');
    }
    expect((await jobOf(queued)).failure_message).toBe(
      `The service was restored from a backup of ${String(backup.time)}; this job may have been printed since.`,
    );
    expect(existsSync(join(service.dataDir, 'restored.json'))).toBe(false);
    expect((await service.rps('views', 'verify')).code).toBe(0);
    await service.end('SIGTERM');
    expect(service.logs).toMatch(/restored from a backup of .*: 2 jobs wait for a decision/);
  });
});
