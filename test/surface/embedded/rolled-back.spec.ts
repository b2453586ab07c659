import { JobScene } from '../../kit/job-scene.js';
import { startRollableService, type RollableService } from '../../kit/rollable-service.js';
import type { Leased } from '../../kit/world.js';
import { HOUR, MINUTE, SECOND, verdict } from '../asking.js';

let service: RollableService;
let scene: JobScene;
/** The highest position received by the agent. */
let seen: string;
beforeEach(async () => {
  service = await startRollableService();
  scene = await JobScene.open(service);
  seen = '';
  await session();
});
afterEach(() => service.close());

interface Started {
  readonly position: string;
  readonly reconcile: readonly { readonly job_id: string; readonly verdict: string }[];
}

const keep = (position: unknown) => void (seen = String(position) > seen ? String(position) : seen);

function begin(journal: readonly object[] = [], more: object = seen === '' ? {} : { seen }) {
  const json = {
    installation_id: scene.agent.installationId,
    agent_version: '1.0.0',
    operating_system: 'Windows 11',
    hostname: 'FRONT-DESK',
    journal,
    ...more,
  };
  return scene.agent.call('POST', '/sessions', { json });
}

/** Starts a session like the reference agent. */
async function session(journal: readonly object[] = []): Promise<Started> {
  const started = await begin(journal);
  if (started.status !== 200) throw new Error(`no session: ${started.text}`);
  const data = started.body.data as unknown as Started & { session_id: string };
  scene.agent.sessionId = data.session_id;
  keep(data.position);
  return data;
}

/** Polls once like the reference agent. */
async function lease(max = 4, more: object = {}): Promise<Leased[]> {
  const json = { session_id: scene.agent.sessionId, wait_seconds: 0, max, ...more };
  const { status, body } = await scene.agent.call('POST', '/leases', { json });
  if (status === 204) return [];
  keep(body.data!.position);
  return body.data!.leases as Leased[];
}

/** Leases and hands off, a minute after the copy of the store. */
async function printSince(): Promise<Leased> {
  await service.advance(MINUTE);
  const [one] = await lease(1);
  await scene.agent.accept(one!);
  keep((await scene.agent.handoff(one!)).body.data!.position);
  await scene.agent.report(one!, 'spooled');
  await scene.agent.report(one!, 'spooler_completed');
  return one!;
}

const statusOf = async (jobId: string) => (await scene.job(jobId)).status;
const typesOf = async () => (await service.everything()).map(({ type }) => type);
const count = async (type: string) => (await typesOf()).filter((one) => one === type).length;

async function gauge(): Promise<number[]> {
  const headers = { authorization: `Bearer ${service.operatorToken}` };
  const metrics = await (await fetch(service.url.replace('/v1', '/metrics'), { headers })).text();
  const ready = await fetch(service.url.replace('/v1', '/health/ready'));
  const { details } = (await ready.json()) as { details: Record<string, number> };
  const line = metrics.split('\n').find((one) => one.startsWith('rps_store_rolled_back '));
  return [ready.status, Number(line?.split(' ')[1]), details.store_rolled_back!];
}

describe('an agent with a position unknown to the store', () => {
  it('gets no job again that may have been handed out since', async () => {
    const accepted = await scene.at('accepted');
    const retrying = await scene.at('accepted');
    await scene.agent.report(retrying, 'not_submitted');
    const spooled = await scene.at('spooled');
    const completed = await scene.at('completed');
    const leased = await scene.at('leased');
    const queued = await scene.create();
    const head = await service.head();
    await printSince();
    await service.advance(MINUTE);
    await service.goBackTo(head);
    const later = await scene.create();
    await session();
    await service.advance(HOUR);
    await session();
    expect((await lease()).map(({ job_id }) => job_id)).toEqual([later]);
    for (const jobId of [accepted.job_id, retrying.job_id, leased.job_id, queued]) {
      expect(await scene.job(jobId)).toMatchObject({
        status: 'manual_review',
        failure_code: 'RESTORED',
        failure_message: expect.stringContaining('went back in time'),
      });
    }
    expect(await statusOf(completed.job_id)).toBe('spooler_completed');
    expect(await statusOf(spooled.job_id)).toBe('manual_review');
  });

  it('raises the alarm for a day, and the service stays ready', async () => {
    await scene.create();
    const head = await service.head();
    await printSince();
    await service.goBackTo(head);
    expect(await gauge()).toEqual([200, 0, 0]);
    await session();
    expect(await gauge()).toEqual([200, 1, 1]);
    await service.goBackTo(await service.head());
    await service.advance(24 * HOUR - 1);
    expect(await gauge()).toEqual([200, 1, 1]);
    await service.advance(1);
    expect(await gauge()).toEqual([200, 0, 0]);
  });

  it('leaves jobs of other computers unchanged', async () => {
    const other = await JobScene.open(service);
    const theirs = await other.create();
    await scene.create();
    const head = await service.head();
    await printSince();
    await service.goBackTo(head);
    await session();
    expect(await other.job(theirs)).toMatchObject({ status: 'queued' });
    expect(await other.lease('leased')).toMatchObject({ job_id: theirs });
  });

  it('prints released jobs although it sends the lost position again', async () => {
    const jobId = await scene.create();
    const head = await service.head();
    await printSince();
    await service.goBackTo(head);
    const lost = seen;
    await session();
    await scene.retry(jobId);
    seen = lost;
    await session();
    expect(await lease()).toMatchObject([{ job_id: jobId }]);
    expect(await count('LostEventReported')).toBe(1);
  });

  it('raises the alarm again on a second rollback', async () => {
    await scene.create();
    const head = await service.head();
    await printSince();
    await service.goBackTo(head);
    await session();
    await service.advance(MINUTE);
    const jobId = await scene.create();
    const between = await service.head();
    expect(await printSince()).toMatchObject({ job_id: jobId });
    await service.goBackTo(between);
    await session();
    expect([await statusOf(jobId), await count('LostEventReported')]).toEqual(['manual_review', 2]);
  });

  it('is detected at a poll if the store still has its session', async () => {
    const jobId = await scene.create();
    const head = await service.head();
    await printSince();
    await service.goBackTo(head);
    expect(await lease(4, { seen })).toEqual([]);
    expect(await statusOf(jobId)).toBe('manual_review');
  });

  it('reports the jobs it handled and drops the others', async () => {
    const [touched, untouched] = [await scene.create(), await scene.create()];
    const head = await service.head();
    await service.advance(MINUTE);
    const leases = await lease(2);
    await service.goBackTo(head);
    const journal = leases.map(({ job_id, lease_id, fence }) => ({
      ...{ job_id, lease_id, fence },
      phase: job_id === touched ? 'handing_off' : 'leased',
    }));
    const { reconcile } = await session(journal);
    expect(Object.fromEntries(reconcile.map(({ job_id, verdict }) => [job_id, verdict]))).toEqual({
      [touched]: 'report',
      [untouched]: 'abandon',
    });
  });

  it('is handled by the next session after an interruption', async () => {
    const jobId = await scene.create();
    const head = await service.head();
    await printSince();
    await service.goBackTo(head);
    service.faults.refuse('load', 1);
    expect((await begin()).status).toBe(503);
    expect([await statusOf(jobId), await count('LostEventReported')]).toEqual(['queued', 0]);
    await session();
    expect([await statusOf(jobId), await count('LostEventReported')]).toEqual(['manual_review', 1]);
    expect(await count('StoreRollbackDetected')).toBe(1);
  });
});

describe('an agent with a position known to the store', () => {
  it('continues although the store has advanced', async () => {
    const jobId = await scene.create();
    await session();
    await service.advance(10 * SECOND);
    expect(await lease(4, { seen })).toMatchObject([{ job_id: jobId }]);
    expect(await count('LostEventReported')).toBe(0);
  });

  it('continues with a lagging store that proves to be current', async () => {
    const jobId = await scene.create();
    await session();
    let isLagging = true;
    for (let look = 0; look < 8; look++)
      service.faults.distort<Promise<object[]>>('load', async (events) => (isLagging ? [] : events));
    service.faults.distort('proveCurrent', (proved) => {
      isLagging = false;
      return proved;
    });
    expect(await lease(4, { seen })).toMatchObject([{ job_id: jobId }]);
    expect([isLagging, await count('LostEventReported')]).toEqual([false, 0]);
  });

  it('continues after a move to stores with other positions', async () => {
    const jobId = await scene.create();
    await service.advance(MINUTE);
    await lease(1);
    await service.goBackTo(await service.head(), { renumber: true });
    await session([]);
    expect([await statusOf(jobId), await count('LostEventReported')]).toEqual(['queued', 0]);
  });

  it('receives a higher position with each session, lease and first hand-off permit', async () => {
    await scene.create();
    await service.advance(1);
    const positions = [(await session()).position];
    await service.advance(1);
    const [one] = await lease(1);
    positions.push(seen);
    await scene.agent.accept(one!);
    await service.advance(1);
    const permits = [await scene.agent.handoff(one!), await scene.agent.handoff(one!)];
    const [first, repeated] = permits.map(({ body }) => String(body.data!.position));
    expect(repeated).toBe(first);
    expect([...positions, first]).toEqual([...new Set([...positions, first])].sort());
  });
});

describe('a service that starts on a store from an hour ago', () => {
  it('gives agents a full grace to call', async () => {
    const stages = ['leased', 'accepted', 'handed_off', 'spooled'] as const;
    const jobs: string[] = [];
    for (const stage of stages) jobs.push((await scene.at(stage)).job_id);
    const head = await service.head();
    await service.advance(HOUR);
    await service.goBackTo(head);
    const passed = async (ms: number) => {
      await service.advance(ms);
      return Promise.all(jobs.map(statusOf));
    };
    const asBefore = ['leased', 'accepted_by_agent', 'accepted_by_agent', 'sent_to_spooler'];
    expect(await passed(MINUTE - 1)).toEqual(asBefore);
    expect(await passed(1)).toEqual(['queued', ...asBefore.slice(1)]);
    expect(await passed(MINUTE - 1)).toEqual(['queued', ...asBefore.slice(1)]);
    expect(await passed(1)).toEqual(['queued', 'failed', ...asBefore.slice(2)]);
    expect((await passed(8 * MINUTE - 1)).slice(2)).toEqual(asBefore.slice(2));
    expect((await passed(1)).slice(2)).toEqual(['manual_review', 'sent_to_spooler']);
    expect((await passed(20 * MINUTE - 1)).slice(2)).toEqual(['manual_review', 'sent_to_spooler']);
    expect((await passed(1)).slice(2)).toEqual(['manual_review', 'manual_review']);
  });
});

describe('a position not issued by this service', () => {
  it('is refused unless it is a text of 1 to 200 characters', async () => {
    for (const bad of ['', 'x'.repeat(201), 7, null]) {
      expect([bad, verdict(await begin([], { seen: bad }))]).toEqual([bad, '400 INVALID_REQUEST']);
    }
  });

  it('is ignored if made by another service, another release or the agent', async () => {
    const jobId = await scene.create();
    const head = await service.head();
    await printSince();
    await service.goBackTo(head);
    const forged = seen.slice(0, -1) + (seen.endsWith('A') ? 'B' : 'A');
    for (const unknown of [forged, `${seen}x`, '42']) {
      expect((await begin([], { seen: unknown })).status).toBe(200);
    }
    expect([await statusOf(jobId), await count('StoreRollbackDetected')]).toEqual(['queued', 0]);
  });
});
