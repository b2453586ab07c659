import { TestPartner } from '../../../kit/partner.js';
import { createJob, openAccount, TestAgent, type Leased, type TestAccount } from '../../../kit/world.js';
import { figuresOf, percentile } from './kit/figures.js';
import { Fleet, type Instance } from './kit/fleet.js';

const ROUNDS = 5;
const WAIT_SECONDS = 20;
/** Ten times the duration on an idle machine; without a notification the poll would wait twenty seconds. */
const PATIENCE_MS = 1_000;

/** Time until a waiting poll of one instance is answered after a request to another. */
async function wokenAfter<T>(
  poll: () => Promise<T>,
  waits: () => Promise<boolean>,
  cause: () => Promise<void>,
) {
  const answered = poll().then((answer) => ({ answer, at: performance.now() }));
  while (!(await waits()));
  const began = performance.now();
  await cause();
  const { answer, at } = await answered;
  return { answer, ms: at - began };
}

/** True if a long poll waits on this instance, from its metrics. */
const pollsAt = (instance: Instance) => async (): Promise<boolean> => {
  const metrics = await fetch(new URL('/metrics', instance.process.url));
  return /^rps_agent_polls_waiting [1-9]/m.test(await metrics.text());
};

describe('notifying a client that waits at another instance', () => {
  let fleet: Fleet;
  let account: TestAccount;
  beforeAll(async () => {
    fleet = await Fleet.start(['all', 'all', 'all'], { LEASE_SECONDS: '60' });
    account = await openAccount(fleet);
  });
  afterAll(() => fleet?.remove());

  it('gives an agent a new job at once', async () => {
    const [here, there] = fleet.instances as [Instance, Instance];
    const { agent, printerId } = await TestAgent.ready(
      { ...fleet, clock: fleet.clock, call: here.process.call },
      account.accountId,
    );
    const create = async () => {
      const created = await createJob(there.process, account.key, printerId);
      if (created.status !== 201) throw new Error(created.text);
    };
    const times: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const poll = () => agent.lease(1, WAIT_SECONDS);
      const { answer, ms } = await wokenAfter(poll, pollsAt(here), create);
      expect(answer).toHaveLength(1);
      times.push(ms);
      await finish(agent, answer[0]!);
    }
    process.stdout.write(`an agent is woken from another instance: ${figuresOf(times)}\n`);
    expect(percentile(times, 50)).toBeLessThan(PATIENCE_MS);
  });

  it('notifies a polling partner that a job has changed', async () => {
    const [here, there] = fleet.instances as [Instance, Instance];
    const partner = await TestPartner.open(fleet);
    const accountId = await partner.account();
    const { agent, printerId } = await TestAgent.ready(
      { ...fleet, clock: fleet.clock, call: there.process.call },
      accountId,
    );
    const times: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const created = await partner.print(accountId, printerId);
      const path = `/accounts/${accountId}/jobs/${String(created.body.data!.job_id)}`;
      const ask = (headers: Record<string, string>) =>
        here.process.call('GET', path, { as: partner.credential, headers });
      const etag = (await ask({})).headers.get('etag')!;
      const poll = () => ask({ 'if-none-match': etag, prefer: `wait=${WAIT_SECONDS}` });
      let lease: Leased | undefined;
      const move = async () => void ([lease] = await agent.lease(1));
      const { answer, ms } = await wokenAfter(poll, async () => true, move);
      expect([answer.status, lease]).toEqual([200, expect.anything()]);
      times.push(ms);
      await finish(agent, lease!);
    }
    process.stdout.write(`a partner is told from another instance: ${figuresOf(times)}\n`);
    expect(percentile(times, 50)).toBeLessThan(PATIENCE_MS);
  });
});

async function finish(agent: TestAgent, lease: Leased): Promise<void> {
  await agent.accept(lease);
  await agent.handoff(lease);
  await agent.report(lease, 'spooler_completed');
}
