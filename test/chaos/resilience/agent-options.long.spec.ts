import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_VERSION } from '../../../agent/version.js';
import type { AgentProcess } from '../../kit/agent-process.js';
import { agentForEach } from '../../kit/agent-scene.js';
import { ConnectProxy } from '../../kit/connect-proxy.js';
import type { FakeService } from '../../kit/fake-service.js';

describe('options of the reference agent', () => {
  let service: FakeService;
  let agent: AgentProcess;
  agentForEach((scene) => ({ service, agent } = scene));

  it('--version prints the version', async () => {
    agent.start('--version');

    expect(await agent.end()).toEqual({ code: 0, signal: null });
    expect(agent.output).toBe(`${AGENT_VERSION}\n`);
  });

  it('--once prints more jobs than it may lease at a time, reports them and exits with 0', async () => {
    const jobs = Array.from({ length: 11 }, () => service.jobs.add({ printerKey: 'virtual:folder' }));
    agent.start('--once');

    expect(await agent.end()).toEqual({ code: 0, signal: null });
    expect(jobs.map(({ phase }) => phase)).toEqual(jobs.map(() => 'over'));
    expect((await agent.printed()).size).toBe(jobs.length);
    expect(await agent.unsentReports()).toEqual([]);
  });

  it('--once exits with 0 when nothing is queued', async () => {
    agent.start('--once');

    expect(await agent.end()).toEqual({ code: 0, signal: null });
  });

  it('--once ends on SIGTERM although the printer still holds a document', async () => {
    const job = service.jobs.add({ printerKey: 'virtual:folder' });
    agent.start('--once', '--simulate', 'delay=600000');
    await service.until(() => job.phase === 'handed_off', 'a document at the printer');

    expect(await agent.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(job.phase).toBe('handed_off');
  });

  it('--log-file receives every line up to the last', async () => {
    const file = join(agent.stateFolder, 'agent.log');
    agent.start('--once', '--log-file', file);
    await agent.end();
    const messages = (await readFile(file, 'utf8')).trimEnd().split('\n');

    expect(messages.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
      expect.arrayContaining(['enrolled', 'ready', 'stopped']),
    );
    expect(agent.output).toBe('');
  });

  it('prints with a --log-file that cannot be written', async () => {
    const job = service.jobs.add({ printerKey: 'virtual:folder' });
    agent.start('--once', '--log-file', '/dev/full/agent.log');

    expect(await agent.end()).toEqual({ code: 0, signal: null });
    expect(job.phase).toBe('over');
  });

  it('--proxy leads every request through the proxy', async () => {
    const { port } = new URL(service.url);
    const proxy = await ConnectProxy.start(Number(port));
    try {
      const job = service.jobs.add({ printerKey: 'virtual:folder' });
      agent.start('--once', '--url', 'http://print.example/v1', '--proxy', proxy.url);

      expect(await agent.end()).toEqual({ code: 0, signal: null });
      expect(job.phase).toBe('over');
      expect(new Set(proxy.asked)).toEqual(new Set(['print.example:80']));
    } finally {
      await proxy.stop();
    }
  });
});
