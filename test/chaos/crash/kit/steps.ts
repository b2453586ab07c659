import { randomUUID } from 'node:crypto';
import type { Answered } from '../../../kit/http/client.js';
import type { Leased } from '../../../kit/world.js';
import type { Step } from './crash-points.js';
import { eventually } from '../../../kit/polling.js';
import type { World } from './world.js';

export const SMALL = 'Hello, printer';
/** Above the size stored as a database row, so that it becomes a file. */
export const LARGE = 'x'.repeat(200 * 1024);

export const jobOf = (world: World, name: string): string => world.remembered(`job ${name}`, () => '');

/** Uses its own idempotency key, so that it can be repeated. */
export function creates(name: string, data: string = SMALL): Step {
  return {
    name: `create ${name}`,
    async run(world) {
      const created = await create(world, name, data);
      expect([200, 201]).toContain(created.status);
      const jobId = String(created.body.data!.job_id);
      const known = jobOf(world, name);
      if (known !== '') expect(jobId).toBe(known);
      world.memory.set(`job ${name}`, jobId);
      world.acknowledge(`job-${jobId}`, 'JobCreated', 'JobQueued');
    },
  };
}

/** Repeats the create of this name; the answer is the same job. */
export function createsAgain(name: string): Step {
  return {
    name: `create ${name} again`,
    async run(world) {
      const again = await create(
        world,
        name,
        world.remembered(`data ${name}`, () => SMALL),
      );
      expect(again.status).toBe(200);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.body.data!.job_id).toBe(jobOf(world, name));
    },
  };
}

function create(world: World, name: string, data: string): Promise<Answered> {
  world.memory.set(`data ${name}`, data);
  const json = { printer_id: world.seed.printerId, content: { type: 'text', encoding: 'utf8', data } };
  const key = world.remembered(`key ${name}`, randomUUID);
  return world.asClient('POST', '/svc-api-print-jobs', json, { 'idempotency-key': key });
}

/** Polls until the job is leased; a lease with a lost answer has to lapse first. */
export function leases(name: string): Step {
  return { name: `lease ${name}`, run: async (world) => void (await lease(world, name)) };
}

async function lease(world: World, name: string): Promise<Leased> {
  const jobId = jobOf(world, name);
  const leased = await eventually(`a lease of ${name}`, async () => {
    const json = { session_id: world.seed.sessionId, wait_seconds: 0, max: 1 };
    const answered = await world.asAgent('POST', '/leases', json);
    expect([200, 204]).toContain(answered.status);
    return (answered.body.data?.leases as Leased[] | undefined)?.find((one) => one.job_id === jobId);
  });
  world.memory.set(`lease ${name}`, leased);
  world.acknowledge(`job-${jobId}`, 'JobLeased');
  return leased;
}

const leaseOf = (world: World, name: string) =>
  world.remembered<Leased | undefined>(`lease ${name}`, () => undefined)!;

/** Accepts the job; takes another lease if this one has lapsed. */
export function accepts(name: string): Step {
  return {
    name: `accept ${name}`,
    run: (world) =>
      eventually(`${name} to be accepted`, async () => {
        const { job_id, lease_id, fence, content_hash } = leaseOf(world, name);
        const json = { lease_id, fence, content_hash };
        const accepted = await world.asAgent('POST', `/jobs/${job_id}/accept`, json);
        if (accepted.body.code === 'LEASE_LOST') await lease(world, name);
        else expect(accepted.status).toBe(200);
        if (accepted.status !== 200) return undefined;
        world.acknowledge(`job-${job_id}`, 'JobAccepted');
        return true;
      }).then(() => undefined),
  };
}

export function handsOff(name: string): Step {
  return {
    name: `hand ${name} off`,
    async run(world) {
      const { job_id, lease_id, fence } = leaseOf(world, name);
      const permitted = await world.asAgent('POST', `/jobs/${job_id}/handoff`, { lease_id, fence });
      expect(permitted.body.data).toMatchObject({ permit: true });
      world.acknowledge(`job-${job_id}`, 'HandoffStarted');
    },
  };
}

/** Reports with one event id until it is stored; `stored` is the event of an applied report. */
export function reports(name: string, type: string, stored: string, more: object = {}): Step {
  return {
    name: `report ${type} of ${name}`,
    async run(world) {
      expect(['applied', 'duplicate']).toContain(await report(world, name, type, more));
      world.acknowledge(`job-${jobOf(world, name)}`, stored);
    },
  };
}

/** The report was stored before. */
export async function expectDuplicate(world: World, name: string, type: string): Promise<void> {
  expect(await report(world, name, type, {})).toBe('duplicate');
}

async function report(world: World, name: string, type: string, more: object): Promise<string> {
  const { job_id, lease_id, fence } = leaseOf(world, name);
  const event = world.remembered(`${type} of ${name} at ${fence}`, () => {
    const ids = { event_id: randomUUID(), job_id, lease_id, fence };
    return { ...ids, type, occurred_at: new Date().toISOString(), ...more };
  });
  const answered = await world.asAgent('POST', '/events', { events: [event] });
  expect(answered.status).toBe(200);
  return (answered.body.data!.results as { result: string }[])[0]!.result;
}

/** The complete work of an agent on one job. */
export function prints(name: string): readonly Step[] {
  return [
    leases(name),
    accepts(name),
    handsOff(name),
    reports(name, 'spooled', 'JobSpooled', { spooler_provider: 'virtual', spooler_job_id: '1' }),
    reports(name, 'spooler_completed', 'JobCompleted'),
  ];
}

/** Waits until a timer has stored this event. */
export function awaits(name: string, type: string): Step {
  return {
    name: `wait for ${type} of ${name}`,
    async run(world) {
      const stream = `job-${jobOf(world, name)}`;
      await eventually(`${type} of ${name}`, async () => {
        const types = await world.typesOf(stream);
        return types.includes(type) || undefined;
      });
      world.acknowledge(stream, type);
    },
  };
}

export function cancels(name: string): Step {
  return {
    name: `cancel ${name}`,
    async run(world) {
      const path = `/svc-api-print-jobs/${jobOf(world, name)}`;
      const cancelled = await world.asClient('POST', `${path}/cancel`, {});
      // A cancel has no key: after a lost answer, the job may be cancelled already.
      if (cancelled.status === 409) {
        expect((await world.asClient('GET', path)).body.data).toMatchObject({ status: 'cancelled' });
      } else expect(cancelled.status).toBe(200);
      world.acknowledge(`job-${jobOf(world, name)}`, 'JobCancelled');
    },
  };
}

/** A manual retry with its own key. */
export function retries(name: string): Step {
  return {
    name: `retry ${name}`,
    async run(world) {
      const retried = await retry(world, name);
      expect({ status: retried.status, text: retried.text }).toMatchObject({ status: 200 });
      world.acknowledge(`job-${jobOf(world, name)}`, 'JobRequeued');
    },
  };
}

export async function expectRetryReplayed(world: World, name: string): Promise<void> {
  const again = await retry(world, name);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
}

function retry(world: World, name: string): Promise<Answered> {
  const key = world.remembered(`retry key ${name}`, randomUUID);
  const path = `/svc-api-print-jobs/${jobOf(world, name)}/retry`;
  return world.asClient('POST', path, { reason: 'nothing came out' }, { 'idempotency-key': key });
}
