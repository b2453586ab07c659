import type { EvidenceEvent } from '../../src/evidence/evidence.events.js';
import { EVIDENCE_STREAM } from '../../src/evidence/evidence.events.js';
import { JobScene } from '../kit/job-scene.js';
import { soon } from '../kit/polling.js';
import { serviceForAll } from '../kit/service.js';
import { openAccount } from '../kit/world.js';

describe('the evidence log of a running service', () => {
  const service = serviceForAll({
    env: { EVIDENCE_INTERVAL_SECONDS: '300', PUBLIC_URL: 'https://print.example' },
  });

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

  describe('for operators', () => {
    const ask = async (method: string, path = '') => service.operate(method, `/evidence${path}`);

    it('publishes on request, and shows the newest checkpoint', async () => {
      await openAccount(service);
      const before = await ask('GET');
      const after = await ask('POST', '/publish');
      expect(Number(after.events)).toBeGreaterThan(Number(before.events));
      expect(after).toMatchObject({ events_behind: 0, caught_up: true, halted: null });
      expect(after.checkpoint).toMatchObject({ origin: before.origin, size: after.events });
      expect(await ask('GET')).toEqual(after);
    });

    it('finds nothing in an audit of unchanged events', async () => {
      const { events } = await ask('POST', '/publish');
      expect(await ask('POST', '/audit')).toMatchObject({ items: [], total: 0, events });
    });

    it('begins a log with a new origin, in the name of the operator', async () => {
      const before = await ask('GET');
      const after = await ask('POST', '/new-log');
      expect(after.origin).not.toBe(before.origin);
      expect(after.checkpoint).toMatchObject({ origin: after.origin });
      const started = (await service.stores.events.load(EVIDENCE_STREAM)).at(-2);
      expect(started).toMatchObject({
        type: 'EvidenceLogStarted',
        metadata: { actor: { kind: 'operator' } },
      });
    });
  });
});
