import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentProcess } from '../../kit/agent-process.js';
import { agentForEach } from '../../kit/agent-scene.js';
import { FakeService } from '../../kit/fake-service.js';
import { TestPartner } from '../../kit/partner.js';
import { soon, within } from '../../kit/polling.js';
import { ServiceProcess } from '../../kit/service-process.js';
import { shiftedClock } from '../../kit/shifted-clock.js';

const REFUSED = 77;

describe('an agent whose credential ends soon', () => {
  let service: FakeService;
  let agent: AgentProcess;
  agentForEach((scene) => ({ service, agent } = scene));

  const stored = async () =>
    JSON.parse(await readFile(join(agent.stateFolder, 'credential.json'), 'utf8')) as Record<string, string>;
  const printsAJob = async () => {
    const job = service.print({ printerKey: 'virtual:folder' });
    await service.until(() => job.phase === 'over', 'the end of a job');
  };
  const renewed = (first: string) =>
    service.until(
      () => service.credentials.secrets.length === 1 && service.credentials.secrets[0] !== first,
      'the use of a new credential',
    );

  it('renews it, uses the new one and keeps it after a restart', async () => {
    const [first] = service.credentials.secrets;
    service.credentials.daysLeft = 30;
    agent.start();
    await renewed(first!);
    await printsAJob();

    expect(await stored()).toMatchObject({
      device_credential: service.credentials.secrets[0],
      previous_credential: first,
    });
    await agent.kill('SIGKILL');
    agent.start();
    await printsAJob();
    expect(service.count('credential')).toBe(1);
  });

  it('repeats a renewal whose answer is lost', async () => {
    const [first] = service.credentials.secrets;
    service.next('credential', { kind: 'lost' });
    service.credentials.daysLeft = 20;
    agent.start();
    await renewed(first!);

    expect(service.count('credential')).toBe(2);
    await printsAJob();
  });

  it('continues with the older one when the service has lost the renewal', async () => {
    const [first] = service.credentials.secrets;
    service.credentials.daysLeft = 30;
    agent.start();
    await renewed(first!);
    service.credentials.secrets = [first!];
    await printsAJob();
    await agent.kill('SIGKILL');
    agent.start();
    await printsAJob();
  });

  it('explains in one line how to enrol again when no credential works, and exits with 77', async () => {
    agent.start();
    await service.until(() => service.count('leases') > 0, 'a poll');
    await agent.kill('SIGKILL');
    service.credentials.secrets = ['another'];
    const used = agent.withoutToken();
    used.start('--log-level', 'silent');

    expect(await used.end()).toEqual({ code: REFUSED, signal: null });
    const lines = used.output.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/refuses the device credential.*rps enrollment create.*--token -/);
  });
});

describe('an agent whose inventory is refused', () => {
  it('repeats it once without the newer fields, logs the refusal and continues printing', async () => {
    const service = await FakeService.start();
    const agent = await AgentProcess.prepare(service.url, service.enrollmentToken);
    try {
      const refused = { kind: 'refused', status: 400, code: 'INVALID_REQUEST' } as const;
      service.next('inventory', refused);
      service.next('inventory', refused);
      agent.start();
      const job = service.jobs.add({ printerKey: 'virtual:folder' });
      await service.until(() => job.phase === 'over', 'the end of a job');

      expect(service.count('inventory')).toBe(2);
      expect(agent.output).toContain('the service refuses the printers');
      await service.until(
        () =>
          service.calls.some(
            ({ call, body }) => call === 'heartbeat' && /INVENTORY_REFUSED/.test(JSON.stringify(body)),
          ),
        'a heartbeat that says so',
      );
    } finally {
      await agent.remove();
      await service.stop();
    }
  });
});

describe('the token on stdin', () => {
  it('enrols the agent', async () => {
    const service = await FakeService.start();
    const agent = (await AgentProcess.prepare(service.url, '-')).withStdin(`${service.enrollmentToken}\n`);
    try {
      agent.start('--once');

      expect(await agent.end()).toEqual({ code: 0, signal: null });
      expect(service.calls[0]).toMatchObject({
        call: 'enroll',
        body: { enrollment_token: service.enrollmentToken },
      });
    } finally {
      await agent.remove();
      await service.stop();
    }
  });
});

describe('an agent at a service whose clock goes on', () => {
  const DAY_MS = 86_400_000;
  const SHORT = { LEASE_SECONDS: '3' };

  it('renews at day 155, prints at day 181, and explains the remedy after 400 days without contact', async () => {
    const service = await ServiceProcess.prepare();
    await service.start(SHORT);
    const partner = await TestPartner.open(service);
    const accountId = await partner.account();
    const { body } = await partner.call('POST', `/accounts/${accountId}/enrollments`, { json: {} });
    const agent = await AgentProcess.prepare(service.url, String(body.data!.enrollment_token));
    const { port } = new URL(service.url);
    const restartAt = async (days: number) => {
      await service.end('SIGTERM');
      const NODE_OPTIONS = shiftedClock(days * DAY_MS).join(' ');
      await service.start({ ...SHORT, PORT: port, NODE_OPTIONS });
    };
    const printers = async () =>
      (await partner.call('GET', `/accounts/${accountId}/printers`)).body.data!.items as Record<
        string,
        string
      >[];
    const isOnline = async () => (await printers())[0]?.status === 'online';
    try {
      agent.start();
      await soon(isOnline);
      await restartAt(155);
      await within(60_000, () => Promise.resolve(agent.output.includes('credential renewed')));
      await restartAt(181);
      await within(60_000, isOnline);
      const { status } = await partner.print(accountId, (await printers())[0]!.printer_id!);
      expect(status).toBe(201);
      await within(60_000, async () => (await agent.printed()).size === 1);

      await agent.kill('SIGTERM');
      await restartAt(181 + 400);
      const late = agent.withoutToken();
      late.start('--log-level', 'silent');
      expect(await late.end()).toEqual({ code: REFUSED, signal: null });
      expect(late.output.trim().split('\n')).toEqual([expect.stringContaining('rps enrollment create')]);
    } finally {
      await agent.remove();
      await service.remove();
    }
  });
});
