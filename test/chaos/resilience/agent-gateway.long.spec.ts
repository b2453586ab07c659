import { AgentProcess } from '../../kit/agent-process.js';
import { FakeService } from '../../kit/fake-service.js';

describe('an agent behind a gateway that answers in place of the service', () => {
  let service: FakeService;
  let agent: AgentProcess;

  beforeEach(async () => {
    service = await FakeService.start();
    agent = await AgentProcess.prepare(service.url, service.enrollmentToken);
  });

  afterEach(async () => {
    await agent.remove();
    await service.stop();
  });

  it.each([
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
  ] as const)('repeats %s that was answered %i with a web page, and prints once', async (call, status) => {
    service.next(call, { kind: 'intercepted', status });
    const job = service.jobs.add({ printerKey: 'virtual:folder' });
    agent.start();
    await service.until(() => job.phase === 'over', `the end of the job:\n${agent.output}`);
    await service.until(() => service.count(call) >= 2, 'the repetition');

    expect(job.reports.map(({ type }) => type)).toEqual(['spooled', 'spooler_completed']);
    expect((await agent.printed()).size).toBe(1);
  });
});
