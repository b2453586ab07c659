import { randomUUID } from 'node:crypto';
import { WebhookReceiver } from '../../../kit/webhook-receiver.js';
import { createJob, openAccount, TestAgent, type TestAccount } from '../../../kit/world.js';
import { Fleet, type WorkerGroup, type Instance } from './kit/fleet.js';
import { leaderOf } from './kit/kills.js';
import { SHORT_TIMES } from './kit/shared-load.js';
import { until } from '../../../kit/polling.js';

const MINUTE = 60_000;
const GROUPS: readonly WorkerGroup[] = ['views', 'timers', 'webhooks'];
/** Limit of a take-over; the test waits twice that, so that a failure reports the duration. */
const KILLED_MS = 15_000;
/** Half a leader lease: a leader that did not release its leases would need a whole one (10 s). */
const STOPPED_MS = 5_000;
/** The abandoned lease of a job lapses only after this time. */
const LEASE_MS = 1_000;

interface TakenOver {
  readonly group: WorkerGroup;
  /** Until another instance reports the leadership, and until its effect is visible. */
  readonly led: number;
  readonly seen: number;
}

/** The externally visible effect of each worker group. */
class Effects {
  private constructor(
    private readonly fleet: Fleet,
    private readonly account: TestAccount,
    private readonly agent: TestAgent,
    private readonly printerId: string,
    private readonly receiver: WebhookReceiver,
  ) {}

  static async prepare(fleet: Fleet): Promise<Effects> {
    const account = await openAccount(fleet);
    const { agent, printerId } = await TestAgent.ready(fleet, account.accountId);
    const receiver = await WebhookReceiver.start();
    const json = { url: `http://127.0.0.1:${receiver.port}/ok/all` };
    await fleet.call('POST', '/svc-create-webhook', { as: account.key, json });
    return new Effects(fleet, account, agent, printerId, receiver);
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  /** A job held by a silent agent. */
  async leaveBehind(): Promise<string> {
    const jobId = await this.create();
    await until('the job to be leased', MINUTE, async () => {
      const leases = await this.agent.lease(4, 1);
      return leases.some(({ job_id }) => job_id === jobId) ? true : undefined;
    });
    return jobId;
  }

  of(group: WorkerGroup, leftBehind: string): Promise<true> {
    const looks = {
      views: () => this.shown(),
      timers: () => this.lapsed(leftBehind),
      webhooks: () => this.told(),
      'content-sweep': async () => async () => true as const,
    };
    return looks[group]().then((look) => until(group, 2 * KILLED_MS, look));
  }

  private async create(externalId: string = randomUUID()): Promise<string> {
    const created = await createJob(this.fleet, this.account.key, this.printerId, {
      external_id: externalId,
    });
    if (created.status > 201) throw new Error(created.text);
    return String(created.body.data!.job_id);
  }

  private async shown() {
    const externalId = randomUUID();
    await this.create(externalId);
    const path = `/svc-api-print-jobs?external_id=${externalId}`;
    return async () => {
      const { body } = await this.fleet.call('GET', path, { as: this.account.key });
      return body.data!.total === 1 ? (true as const) : undefined;
    };
  }

  private async lapsed(jobId: string) {
    return async () => {
      const { items } = await this.fleet.operate('GET', `/streams/job-${jobId}`);
      const lapsed = (items as { type: string }[]).some(({ type }) => type === 'LeaseLapsed');
      return lapsed ? (true as const) : undefined;
    };
  }

  private async told() {
    const jobId = await this.create();
    return async () => {
      const told = this.receiver.requests.some(({ body }) => body.includes(jobId));
      return told ? (true as const) : undefined;
    };
  }
}

/** Ends the leader of a group; resolves to the take-overs of all its groups. */
async function end(fleet: Fleet, effects: Effects, holder: Instance, how: 'kill' | 'stop') {
  const leftBehind = await effects.leaveBehind();
  const leading = await Promise.all(GROUPS.map((group) => fleet.leaders(group)));
  const held = GROUPS.filter((_, n) => leading[n]!.includes(holder));
  const began = performance.now();
  const ended = fleet[how](holder);
  const measured = held.map(async (group): Promise<TakenOver> => {
    const seen = effects.of(group, leftBehind).then(() => performance.now());
    const led = leaderOf(fleet, group).then(() => performance.now());
    return { group, led: (await led) - began, seen: (await seen) - began };
  });
  const all = await Promise.all(measured);
  await ended;
  await fleet.start(holder);
  return all;
}

/** The take-over of one group. */
async function measure(fleet: Fleet, how: 'kill' | 'stop'): Promise<readonly TakenOver[]> {
  const effects = await Effects.prepare(fleet);
  const measured = new Map<WorkerGroup, TakenOver>();
  try {
    for (const group of GROUPS) {
      if (measured.has(group)) continue;
      for (const one of await end(fleet, effects, await leaderOf(fleet, group), how)) {
        measured.set(one.group, one);
      }
    }
    return [...measured.values()];
  } finally {
    await effects.close();
  }
}

describe('taking over the work of a leader', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    const env = { ...SHORT_TIMES, LEASE_SECONDS: String(LEASE_MS / 1_000) };
    fleet = await Fleet.start(['api', 'api', 'worker', 'worker'], env);
  });
  afterAll(() => fleet?.remove());

  it('takes at most fifteen seconds when the leader is killed', async () => {
    const measured = await measure(fleet, 'kill');
    report('killed', measured);
    for (const { group, led, seen } of measured) {
      expect({ group, led, late: led > KILLED_MS }).toMatchObject({ group, late: false });
      expect({ group, seen, late: seen > KILLED_MS }).toMatchObject({ group, late: false });
    }
  });

  it('takes at most half a lease when the leader stops on SIGTERM', async () => {
    const measured = await measure(fleet, 'stop');
    report('stopped', measured);
    for (const { group, led, seen } of measured) {
      const allowed = STOPPED_MS + (group === 'timers' ? LEASE_MS : 0);
      expect({ group, led, late: led > STOPPED_MS }).toMatchObject({ group, late: false });
      expect({ group, seen, late: seen > allowed }).toMatchObject({ group, late: false });
    }
  });
});

function report(how: string, measured: readonly TakenOver[]): void {
  const told = measured.map(
    ({ group, led, seen }) => `${group} ${Math.round(led)} ms (seen ${Math.round(seen)})`,
  );
  process.stdout.write(`${how}, taken over: ${told.join(', ')}\n`);
}
