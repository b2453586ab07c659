import type { AgentProcess } from '../../kit/agent-process.js';
import { agentForEach } from '../../kit/agent-scene.js';
import type { FakeService } from '../../kit/fake-service.js';

describe('an agent behind a gateway that answers in place of the service', () => {
  let service: FakeService;
  let agent: AgentProcess;
  agentForEach((scene) => ({ service, agent } = scene));

  it('repeats each call that was answered with a web page, and prints once', async () => {
    const answered = [
      ['enroll', 403],
      ['sessions', 200],
      ['inventory', 302],
      ['leases', 200],
      ['leases', 401],
      ['content', 404],
      ['accept', 404],
      ['handoff', 401],
      ['events', 200],
      ['heartbeat', 404],
    ] as const;
    for (const [call, status] of answered) service.next(call, { kind: 'intercepted', status });
    const job = service.jobs.add({ printerKey: 'virtual:folder' });
    agent.start();
    await service.until(() => job.phase === 'over', `the end of the job:\n${agent.output}`);
    for (const [call] of answered) await service.until(() => service.count(call) >= 2, `${call} again`);

    expect(service.count('leases')).toBeGreaterThan(2);
    expect(job.reports.map(({ type }) => type)).toEqual(['spooled', 'spooler_completed']);
    expect((await agent.printed()).size).toBe(1);
  });
});
