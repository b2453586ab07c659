import { AgentProcess } from './agent-process.js';
import { FakeService } from './fake-service.js';

interface AgentScene {
  readonly service: FakeService;
  readonly agent: AgentProcess;
}

/** A fake service and an Agent that is not started yet, for each test of a describe. */
export function agentForEach(use: (scene: AgentScene) => void): void {
  let scene: AgentScene;
  beforeEach(async () => {
    const service = await FakeService.start();
    scene = { service, agent: await AgentProcess.prepare(service.url, service.enrollmentToken) };
    use(scene);
  });
  afterEach(async () => {
    await scene.agent.remove();
    await scene.service.stop();
  });
}
