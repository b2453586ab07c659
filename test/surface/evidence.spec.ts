import type { EvidenceEvent } from '../../src/evidence/evidence.events.js';
import { EVIDENCE_STREAM } from '../../src/evidence/evidence.events.js';
import { JobScene } from '../kit/job-scene.js';
import { soon } from '../kit/polling.js';
import { startTestService, type TestService } from '../kit/service.js';

describe('the evidence log of a running service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      env: { EVIDENCE_INTERVAL_SECONDS: '300', PUBLIC_URL: 'https://print.example' },
    });
  });
  afterAll(() => service.close());

  const stored = async () =>
    (await service.stores.events.load(EVIDENCE_STREAM)) as unknown as EvidenceEvent[];

  it('publishes the first checkpoint soon after the first event, and shows it in the metrics', async () => {
    await JobScene.open(service);
    await soon(async () => {
      service.clock.advance(1_000);
      return (await stored()).length >= 2;
    });
    const [started, published] = await stored();
    expect(started!.data.origin).toMatch(/^print\.example\/evidence\/[0-9a-f]{12}$/);
    expect(published).toMatchObject({ type: 'CheckpointPublished', data: { origin: started!.data.origin } });
    const metrics = await fetch(new URL('/metrics', service.url), {
      headers: { authorization: `Bearer ${service.operatorToken}` },
    });
    expect(await metrics.text()).toMatch(/^rps_evidence_halted\{reason="differs"\} 0$/m);
  });
});
