import { ACTIONS } from '../../src/contexts/jobs/index.js';
import { JobScene } from '../kit/job-scene.js';
import { joined } from '../kit/panel.js';
import { TestPartner } from '../kit/partner.js';
import { serviceForAll, startTestService } from '../kit/service.js';
import { TestAgent } from '../kit/world.js';
import { verdict } from './asking.js';
import { SITUATIONS } from './situations.js';
import { rpsAt } from '../kit/rps-at.js';

interface Explanation {
  readonly verdict: string;
  readonly may_have_printed: boolean;
  readonly cause: string;
  readonly since: string;
  readonly evidence: readonly { readonly event_id: string; readonly at: string; readonly text: string }[];
  readonly next_steps: readonly { readonly action: string; readonly operation?: string }[];
}

describe('explaining a job that', () => {
  const service = serviceForAll();

  const explained = async (jobId: string) =>
    (await service.operate('GET', `/jobs/${jobId}/explanation`)) as unknown as Explanation;
  const told = ({ cause, next_steps }: Explanation) => [cause, ...next_steps.map(({ action }) => action)];

  it.each(SITUATIONS)('$what', async ({ stage, told: expected, account }) => {
    const scene = await JobScene.open(service, account);
    const jobId = await stage(scene, service);
    const explanation = await explained(jobId);
    expect(told(explanation)).toEqual(expected);
    // Every piece of evidence is an event that is stored.
    const streams = [`job-${jobId}`, `computer-${scene.agent.computerId}`, `account-${scene.accountId}`];
    const stored = (await Promise.all(streams.map((name) => service.stores.events.load(name)))).flat();
    const marks = stored.map(({ id, metadata }) => `${id} ${metadata.at}`);
    for (const { event_id, at } of explanation.evidence) expect(marks).toContain(`${event_id} ${at}`);
    expect(explanation.since).toBe(explanation.evidence[0]!.at);
  });

  describe('the answer', () => {
    const path = (jobId: string) => `/svc-api-print-jobs/${jobId}/explanation`;

    it('is the same for a client, a member and the operator', async () => {
      const scene = await JobScene.open(service);
      const jobId = await scene.create();
      await service.operate('POST', `/printers/${scene.printerId}`, { paused: true });
      const { browser } = await joined(service, scene.accountId, 'vic', 'viewer');
      const { data } = (await service.call('GET', path(jobId), { as: scene.key })).body;
      expect(data).toMatchObject({ verdict: 'blocked', may_have_printed: false });
      expect((await browser.get(path(jobId))).body.data).toEqual(data);
      expect(await explained(jobId)).toEqual(data);
      const { code, out } = await rpsAt(service, ['job', 'explain', jobId]);
      expect([code, JSON.parse(out)]).toEqual([0, data]);
    });

    it('has no names for a partner', async () => {
      const partner = await TestPartner.open(service);
      const accountId = await partner.account();
      const { printerId } = await TestAgent.ready(service, accountId);
      const { body } = await partner.print(accountId, printerId);
      const jobId = String(body.data!.job_id);
      const { evidence: _, ...known } = await explained(jobId);
      const asked = await partner.call('GET', `/accounts/${accountId}/jobs/${jobId}/explanation`);
      expect(asked.body.data).toEqual(known);
      const other = await partner.account();
      const foreign = await partner.call('GET', `/accounts/${other}/jobs/${jobId}/explanation`);
      expect(verdict(foreign)).toBe('404 JOB_NOT_FOUND');
    });
  });

  it('has a next step whose operation exists', async () => {
    const documents = ['/openapi.json', '/panel/openapi.json', '/operator/openapi.json'];
    const texts = await Promise.all(documents.map(async (path) => (await fetch(service.url + path)).text()));
    for (const { operation } of Object.values(ACTIONS) as { operation?: string }[])
      if (operation) expect(texts.join()).toContain(`"operationId":"${operation}"`);
  });

  // Last, because the new instance has a token of its own.
  it('waits since a restore', async () => {
    const scene = await JobScene.open(service);
    const jobId = await scene.create();
    const lent = { ...service.stores, close: async () => undefined };
    const restored = await startTestService({
      ...{ clock: service.clock, stores: () => lent, env: { RESTORED: 'true' } },
    });
    const explanation = (await restored.operate(
      'GET',
      `/jobs/${jobId}/explanation`,
    )) as unknown as Explanation;
    expect(told(explanation)).toEqual(['service_restored', 'look_for_paper', 'retry']);
    expect(explanation).toMatchObject({ verdict: 'needs_decision', may_have_printed: true });
    await restored.close();
  });
});
