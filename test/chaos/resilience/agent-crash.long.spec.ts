import type { AgentProcess } from '../../kit/agent-process.js';
import { agentForEach } from '../../kit/agent-scene.js';
import type { FakeService } from '../../kit/fake-service.js';

const COMPLETED = ['spooled', 'spooler_completed'];

/**
 * Crash step of the agent, final report received by the service, and number of copies (of three) in the folder.
 */
const CRASHES: [step: string, reports: string[], files: number][] = [
  ['leased', COMPLETED, 3],
  ['before-accept', COMPLETED, 3],
  ['after-accept', COMPLETED, 3],
  ['before-handoff', COMPLETED, 3],
  ['handing-off', ['not_submitted'], 0],
  ['during-submit', ['spooled', 'spooler_failed'], 1],
  ['after-submit', COMPLETED, 3],
  ['before-report', COMPLETED, 3],
  ['after-report', COMPLETED, 3],
  ['before-result', COMPLETED, 3],
];

describe('restarting the reference agent after a crash', () => {
  let service: FakeService;
  let agent: AgentProcess;
  agentForEach((scene) => ({ service, agent } = scene));

  it.each(CRASHES)('reports correctly after %s: %j', async (step, reports, files) => {
    const job = service.jobs.add({ printerKey: 'virtual:folder', copies: 3 });
    agent.start('--simulate', `crash=${step}`);
    expect(await agent.end()).toEqual({ code: null, signal: 'SIGKILL' });

    agent.start();
    const seen = (): string[] => job.reports.map(({ type }) => type);
    await service.until(() => seen().length >= reports.length, `${reports.join()}:\n${agent.output}`);
    await agent.kill('SIGTERM');

    expect(seen()).toEqual(reports);
    expect((await agent.printed()).size).toBe(files);
    expect(job.permits).toBe(1);
  });

  it('delivers the reports stored before the crash', async () => {
    const job = service.jobs.add({ printerKey: 'virtual:folder' });
    service.next('events', { kind: 'refused', status: 503, code: 'UNAVAILABLE', retryAfter: 60 });
    agent.start();
    await service.until(() => service.count('events') > 0, 'the first report');
    await agent.kill('SIGKILL');
    agent.start();
    await service.until(() => job.phase === 'over', 'the end of the job');

    expect(job.reports.map(({ type }) => type)).toEqual(COMPLETED);
    expect((await agent.printed()).size).toBe(1);
  });

  it('drops jobs that the service abandoned or no longer knows', async () => {
    const job = service.jobs.add({ printerKey: 'virtual:folder' });
    agent.start('--simulate', 'crash=after-accept');
    await agent.end();
    service.jobs.takeLeaseAway(job);
    agent.start();
    const next = service.jobs.add({ printerKey: 'virtual:folder' });
    await service.until(() => next.phase === 'over', 'the end of the next job');

    expect(job.reports).toEqual([]);
    expect([...(await agent.printed()).keys()]).toEqual([`${next.jobId}-1-1.bin`]);
  });

  it('reports that nothing was printed if the service waits for the outcome', async () => {
    const job = service.jobs.add({ printerKey: 'virtual:folder' });
    agent.start('--simulate', 'crash=after-accept');
    await agent.end();
    job.phase = 'handing_off';
    agent.start();
    await service.until(() => job.reports.length > 0, 'a report');

    expect(job.reports).toMatchObject([{ type: 'not_submitted', failure_class: 'temporary' }]);
    expect((await agent.printed()).size).toBe(0);
  });
});
