import { AgentProcess } from '../../kit/agent-process.js';
import { FakeService } from '../../kit/fake-service.js';
import { NamedPipe, onFullDevice } from '../../kit/log-targets.js';
import { soon } from '../../kit/polling.js';

describe('running the reference agent with an unwritable log', () => {
  let service: FakeService;
  let agent: AgentProcess;
  let pipe: NamedPipe;
  beforeEach(async () => {
    service = await FakeService.start();
    agent = await AgentProcess.prepare(service.url, service.enrollmentToken, '--log-level', 'debug');
    pipe = await NamedPipe.make();
  });
  afterEach(async () => {
    await agent.remove();
    await service.stop();
    await pipe.remove();
  });

  const targets: [string, (start: (fd: number) => void) => Promise<void>][] = [
    ['on a full disk', onFullDevice],
    ['in a closed pipe', (start) => pipe.writtenWhenClosed(start)],
    ['in a full pipe that is not read', (start) => pipe.writtenWhenFull(start)],
  ];

  it.each(targets)('prints, and exits with 0 on SIGTERM, with its log %s', async (_, on) => {
    await on((fd) => agent.startOn(fd));
    const job = service.print({ printerKey: 'virtual:folder' });
    await service.until(() => job.phase === 'over', 'the end of the job');
    expect(job.permits).toBe(1);
    expect(await agent.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('reports the dropped lines once its pipe is read', async () => {
    await pipe.writtenWhenFull((fd) => agent.startOn(fd));
    await service.until(() => service.count('leases') > 0, 'a poll');
    pipe.read();
    const job = service.print({ printerKey: 'virtual:folder' });
    await service.until(() => job.phase === 'over', 'the end of the job');
    let log = '';
    await soon(() => /"dropped":\d+,"msg":"log lines were dropped"/.test((log += pipe.read())));
  });
});
