import type { AgentProcess } from '../../kit/agent-process.js';
import { agentForEach } from '../../kit/agent-scene.js';
import type { FakeCall, FakeService } from '../../kit/fake-service.js';
import type { FakeJob } from '../../kit/fake-service-jobs.js';
import { RawPrinter } from '../../kit/raw-printer.js';

const DESK = 'virtual:folder';
const TILL = 'virtual:folder-2';

describe('printing while the spooler of one printer hangs', () => {
  let service: FakeService;
  let agent: AgentProcess;
  agentForEach((scene) => ({ service, agent } = scene));

  const hang = (...more: string[]): void =>
    agent.start('--virtual-name', 'Desk', '--virtual-name', 'Till', ...more);
  const jobsFor = (printerKey: string, count: number): FakeJob[] => {
    const added = Array.from({ length: count }, () => service.jobs.add({ printerKey }));
    service.changed();
    return added;
  };
  const until = (condition: () => boolean, what: string): Promise<void> =>
    service.until(condition, what, 30_000);
  const over = (job: FakeJob): Promise<void> => until(() => job.phase === 'over', 'the end of the job');
  const bodies = (call: FakeCall) =>
    service.calls.filter((made) => made.call === call).map(({ body }) => body);
  const codes = (job: FakeJob) => job.reports.map(({ failure_code }) => failure_code);

  it('prints for the other printers', async () => {
    const stuck = jobsFor(DESK, 8);
    hang('--simulate', 'outcome=silent,printer=Desk');
    await until(() => stuck.filter(({ phase }) => phase === 'accepted').length === 4, 'four jobs behind it');
    const [job] = jobsFor(TILL, 1);
    await over(job!);

    expect(job!.reports.map(({ type }) => type)).toEqual(['spooled', 'spooler_completed']);
    expect(stuck.map(({ phase }) => phase).sort()).toEqual([
      ...['accepted', 'accepted', 'accepted', 'accepted', 'handing_off', 'queued', 'queued', 'queued'],
    ]);
  });

  it('gives back the jobs behind a stuck hand-off, and prints the next one that tries the printer', async () => {
    const [hung, ...behind] = jobsFor(DESK, 5);
    hang('--simulate', 'outcome=silent,printer=Desk,times=1', '--hand-off-seconds', '1');
    await Promise.all([hung!, ...behind].map(over));
    const [next] = jobsFor(DESK, 1);
    await over(next!);

    expect(codes(hung!)).toEqual(['HANDOFF_INTERRUPTED']);
    const why = `the spooler made no progress for 1 s at ${DESK}`;
    expect(hung!.reports.at(-1)!.message).toBe(`nothing reached the spooler: ${why}`);
    expect(behind.map(codes)).toEqual(behind.map(() => ['PRINTER_STUCK']));
    expect(next!.reports.map(({ type }) => type)).toEqual(['spooled', 'spooler_completed']);
  });

  it('names a printer as stuck until it has taken a document, and as busy until a job may try it', async () => {
    jobsFor(DESK, 1);
    service.next('events', { kind: 'refused', status: 503, code: 'UNAVAILABLE' });
    hang('--simulate', 'outcome=silent,printer=Desk,times=1', '--hand-off-seconds', '1');
    const named = () => bodies('heartbeat').find(({ busy_printers }) => String(busy_printers) === DESK);
    const last = () => bodies('heartbeat').at(-1)!;
    await until(() => named() !== undefined, 'the busy printer');
    const reason = `the spooler made no progress for 1 s at ${DESK}`;
    const health = { stuck_printers: [{ printer_key: DESK, reason, since: expect.any(String) }] };

    expect(named()).toMatchObject({ health });
    await until(() => String(last().busy_printers) === '', 'a printer that may be tried');
    expect(last()).toMatchObject({ health });
    const [next] = jobsFor(DESK, 1);
    await over(next!);
    await until(() => !('stuck_printers' in (last().health as object)), 'a free printer');
  });

  it('sends one job at a time to a printer that takes no bytes, and all of them once it does', async () => {
    const device = await RawPrinter.start();
    device.stallsAfter = 1;
    try {
      const jobs = Array.from({ length: 4 }, () =>
        service.jobs.add({ printerKey: 'direct:Label', bytes: Buffer.alloc(6_000_000, 'x') }),
      );
      hang('--printer', `Label=${device.address}`, '--hand-off-seconds', '2');
      await over(jobs[1]!);
      const [other] = jobsFor(TILL, 1);
      await over(other!);
      expect(device.documents).toHaveLength(2);
      expect(jobs.slice(2).map(({ phase, reports }) => [phase, reports])).toEqual(
        jobs.slice(2).map(() => ['queued', []]),
      );
      device.stallsAfter = Infinity;
      await Promise.all(jobs.map(over));

      const types = jobs.map(({ reports }) => reports.at(-1)?.type);
      expect(types).toEqual(jobs.map((_, n) => (n < 2 ? 'spooler_failed' : 'spooler_completed')));
      expect(jobs.map(({ permits }) => permits)).toEqual(jobs.map(() => 1));
    } finally {
      await device.stop();
    }
  });

  it('names no busy printers to a service that does not support it', async () => {
    Reflect.deleteProperty(service.config, 'max_leases_per_printer');
    const [job] = jobsFor(DESK, 1);
    hang();
    await over(job!);
    await until(() => service.count('heartbeat') > 0, 'a heartbeat');

    for (const body of [...bodies('heartbeat'), ...bodies('leases')])
      expect(body).not.toHaveProperty('busy_printers');
  });
});
