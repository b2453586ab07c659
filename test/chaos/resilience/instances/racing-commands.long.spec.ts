import { randomUUID } from 'node:crypto';
import type { Answered } from '../../../kit/http/client.js';
import { createJob, openAccount, TestAgent, type TestAccount } from '../../../kit/world.js';
import { byStream } from '../../../kit/stored-events.js';
import { EventLog } from './kit/event-log.js';
import { Fleet } from './kit/fleet.js';
import { expectOrder, expectViewsEqualReplay } from './kit/proofs.js';

const AT_ONCE = 60;

const together = (ask: (n: number) => Promise<Answered>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, n) => ask(n)));

const statusesOf = (answers: readonly Answered[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('sending the same command to three instances at once', () => {
  let fleet: Fleet;
  let account: TestAccount;
  beforeAll(async () => {
    fleet = await Fleet.start(['all', 'all', 'all'], { WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' });
    account = await openAccount(fleet);
  });
  afterAll(async () => {
    expectOrder(await new EventLog(fleet).read());
    await expectViewsEqualReplay(fleet);
    // With sixty waiting for a lock, some time out and the client must repeat.
    expect(fleet.trouble.broken).toBe(0);
    await fleet.remove();
  });

  it('creates one job per key, with its content', async () => {
    const { agent, printerId } = await TestAgent.ready(fleet, account.accountId);
    const key = randomUUID();
    const answers = await together(() => createJob(fleet, account.key, printerId, {}, key));
    expect(statusesOf(answers)).toEqual({ 200: AT_ONCE - 1, 201: 1 });
    expect(new Set(answers.map(({ body }) => body.data!.job_id)).size).toBe(1);
    const lease = await agent.print();
    expect((await agent.call('GET', `/jobs/${lease.job_id}/content`)).text).toBe('Hello, printer');
  });

  it('cancels a job once', async () => {
    const { printerId } = await TestAgent.ready(fleet, account.accountId);
    const created = await createJob(fleet, account.key, printerId);
    const jobId = String(created.body.data!.job_id);
    const path = `/svc-api-print-jobs/${jobId}/cancel`;
    const answers = await together(() => fleet.call('POST', path, { as: account.key, json: {} }));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const story = byStream(await new EventLog(fleet).read()).get(`job-${jobId}`)!;
    expect(story.filter(({ type }) => type === 'JobCancelled')).toHaveLength(1);
  });

  it('changes the webhooks of one account consistently', async () => {
    const urls = Array.from({ length: 20 }, (_, n) => `http://127.0.0.1:9/ok/${n}`);
    const created = await Promise.all(
      urls.map((url) => fleet.call('POST', '/svc-create-webhook', { as: account.key, json: { url } })),
    );
    expect(statusesOf(created)).toEqual({ 201: urls.length });
    const ids = created.map(({ body }) => (body.data!.webhook as { webhook_id: string }).webhook_id);
    const updated = await together((n) => {
      const json = { webhook_id: ids[n % ids.length], description: `update ${n}` };
      return fleet.call('POST', '/svc-update-webhook', { as: account.key, json });
    });
    expect(statusesOf(updated)).toEqual({ 200: AT_ONCE });
    const another = { url: 'http://127.0.0.1:9/one-too-many' };
    const refused = await together(() =>
      fleet.call('POST', '/svc-create-webhook', { as: account.key, json: another }),
    );
    expect(statusesOf(refused)).toEqual({ 409: AT_ONCE });
  });

  it('redeems an enrolment token once', async () => {
    const enrollment = await fleet.operate('POST', `/accounts/${account.accountId}/enrollments`, {});
    const { enrollment_token } = enrollment;
    const answers = await together(() => {
      const json = { enrollment_token, installation_id: randomUUID(), hostname: 'FRONT-DESK' };
      return fleet.call('POST', '/managed/enroll', { json });
    });
    expect(statusesOf(answers)).toEqual({ 200: 1, 401: AT_ONCE - 1 });
  });

  it('counts the jobs of a plan across instances', async () => {
    const plan = { jobs_per_month: 10 };
    const small = await openAccount(fleet, plan);
    const { printerId } = await TestAgent.ready(fleet, small.accountId);
    const answers = await together(() => createJob(fleet, small.key, printerId));
    expect(statusesOf(answers)).toEqual({ 201: 10, 402: AT_ONCE - 10 });
  });
});
