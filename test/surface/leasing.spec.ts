import { randomUUID } from 'node:crypto';
import { JobNotifier } from '../../src/contexts/jobs/index.js';
import type { Answered } from '../kit/http/client.js';
import { sceneForEach } from '../kit/job-scene.js';
import { serviceForAll } from '../kit/service.js';
import { onePrinter, TestAgent, type Leased } from '../kit/world.js';
import { MINUTE, newJob, SECOND, verdict } from './asking.js';

describe('waiting for work as an agent', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);

  const poll = (wait_seconds: number, more: object = {}) =>
    scene.agent.call('POST', '/leases', {
      json: { session_id: scene.agent.sessionId, wait_seconds, max: 4, ...more },
    });
  /** Waits for this many polls by turns of the event loop, without a time limit. */
  const untilWaiting = async (polls: number) => {
    const notifier = service.service.app.get(JobNotifier, { strict: false });
    for (let turn = 0; notifier.waiting !== polls; turn++) {
      if (turn > 10_000) throw new Error(`${notifier.waiting} polls wait, not ${polls}`);
      await new Promise(setImmediate);
    }
  };
  const beat = (busy_printers: string[]) =>
    scene.agent.call('POST', '/heartbeat', {
      json: { session_id: scene.agent.sessionId, leases: [], busy_printers },
    });
  const keysOf = (leases: readonly Leased[]) => leases.map(({ printer_key }) => printer_key);
  const jobsIn = ({ body }: Answered) =>
    (body.data!.leases as { job_id: string }[]).map(({ job_id }) => job_id);

  it.each<[string, () => string]>([
    ['computer is revoked', () => `/computers/${scene.agent.computerId}/revoke`],
    ['account is closed', () => `/accounts/${scene.accountId}/close`],
  ])('ends with 401 when its %s', async (_, path) => {
    const polling = poll(25);
    await untilWaiting(1);
    await service.operate('POST', path(), { reason: 'moved away' });
    expect(verdict(await polling)).toBe('401 CREDENTIAL_INVALID');
  });

  it('gets a lease with all fields', async () => {
    const jobId = await scene.create({ title: 'Receipt', copies: 3 });
    const answered = await poll(0);
    expect(answered.status).toBe(200);
    const job = await scene.job(jobId);
    expect(answered.body.data!.leases).toEqual([
      {
        lease_id: expect.any(String),
        job_id: jobId,
        fence: 1,
        printer_id: scene.printerId,
        printer_key: 'till-1',
        content_type: 'text',
        content_hash: job.content_hash,
        content_size_bytes: 14,
        copies: 3,
        title: 'Receipt',
        document_name: `svc:${jobId}:1`,
        expires_at: job.expires_at,
        lease_expires_at: service.fromNow(MINUTE),
      },
    ]);
    expect(job).toMatchObject({ status: 'leased', attempt_count: 1, last_attempt_at: service.clock.now() });
  });

  it('gets 204 without a body, at once or after the wait', async () => {
    const at_once = await poll(0);
    expect([at_once.status, at_once.text]).toEqual([204, '']);
    const waiting = poll(25);
    await untilWaiting(1);
    await service.advance(25 * SECOND);
    expect((await waiting).status).toBe(204);
    await untilWaiting(0);
  });

  it('is notified of a job for its computer', async () => {
    const waiting = poll(50);
    await untilWaiting(1);
    const jobId = await scene.create();
    expect(jobsIn(await waiting)).toEqual([jobId]);
  });

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'its printer comes online',
      () => scene.agent.inventory([{ ...onePrinter, online: false }]),
      () => scene.agent.inventory([onePrinter]),
    ],
    [
      'its account is resumed',
      () => service.operate('POST', `/accounts/${scene.accountId}/suspend`),
      () => service.operate('POST', `/accounts/${scene.accountId}/resume`),
    ],
    [
      'it is enabled again',
      () => service.operate('POST', `/computers/${scene.agent.computerId}/disable`),
      () => service.operate('POST', `/computers/${scene.agent.computerId}/enable`),
    ],
  ])('is notified when %s', async (_, before, after) => {
    const jobId = await scene.create();
    await before();
    const waiting = poll(50);
    await untilWaiting(1);
    await after();
    expect(jobsIn(await waiting)).toEqual([jobId]);
  });

  it('is notified of a lapsed or released job and of a due retry', async () => {
    const jobId = await scene.create();
    const [lease] = await scene.agent.lease(1);
    let waiting = poll(50);
    await untilWaiting(1);
    await scene.agent.release(lease!);
    expect(jobsIn(await waiting)).toEqual([jobId]);
    await service.advance(30 * SECOND);
    waiting = poll(50);
    await untilWaiting(1);
    await service.advance(30 * SECOND);
    const answered = await waiting;
    expect(jobsIn(answered)).toEqual([jobId]);
    const [again] = answered.body.data!.leases as never[];
    await scene.agent.report(again!, 'not_submitted');
    waiting = poll(50);
    await untilWaiting(1);
    await service.advance(15 * SECOND);
    expect(jobsIn(await waiting)).toEqual([jobId]);
  });

  it('ignores jobs of other computers', async () => {
    const { printerId: elsewhere } = await TestAgent.ready(service, scene.accountId);
    const waiting = poll(25);
    await untilWaiting(1);
    await newJob(service, scene.key, elsewhere);
    await untilWaiting(1);
    await service.advance(25 * SECOND);
    expect((await waiting).status).toBe(204);
  });

  it('leases a job to one of two polls, while the other continues to wait', async () => {
    const polls = [poll(25), poll(25)];
    await untilWaiting(2);
    const jobId = await scene.create();
    expect(jobsIn(await Promise.race(polls))).toEqual([jobId]);
    await untilWaiting(1);
    await service.advance(25 * SECOND);
    expect((await Promise.all(polls)).map(({ status }) => status).sort()).toEqual([200, 204]);
  });

  it('leases each of many jobs once to concurrent polls', async () => {
    const jobs = await Promise.all(Array.from({ length: 20 }, () => scene.create()));
    const seen: string[] = [];
    while (seen.length < jobs.length) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => scene.agent.lease(10)));
      const leases = answers.flat();
      expect(leases.length).toBe(4);
      for (const lease of leases) {
        seen.push(lease.job_id);
        await scene.agent.report(lease, 'rejected');
      }
    }
    expect(seen.sort()).toEqual(jobs.sort());
  });

  it('gets the oldest first, and several jobs of one printer at once', async () => {
    const jobs: string[] = [];
    for (let n = 0; n < 3; n++) jobs.push(await scene.create());
    expect((await scene.agent.lease(2)).map(({ job_id }) => job_id)).toEqual(jobs.slice(0, 2));
    expect((await scene.agent.lease(4)).map(({ job_id }) => job_id)).toEqual(jobs.slice(2));
  });

  it('holds at most four that are not yet handed off', async () => {
    for (let n = 0; n < 8; n++) await scene.create();
    const held = await scene.agent.lease(10);
    expect(held).toHaveLength(4);
    await scene.agent.accept(held[0]!);
    expect(await scene.agent.lease(10)).toEqual([]);
    await scene.agent.handoff(held[0]!);
    expect(await scene.agent.lease(10)).toHaveLength(1);
    await scene.agent.release(held[1]!);
    expect(await scene.agent.lease(10)).toHaveLength(1);
    expect(await scene.agent.lease(10)).toEqual([]);
  });

  it('serves its printers in turn, each with at most four leases', async () => {
    const [first, second] = await scene.agent.inventory([
      onePrinter,
      { ...onePrinter, printer_key: 'till-2' },
    ]);
    for (let n = 0; n < 6; n++) await newJob(service, scene.key, first!);
    expect(keysOf(await scene.agent.lease(10))).toEqual(['till-1', 'till-1', 'till-1', 'till-1']);
    for (let n = 0; n < 2; n++) await newJob(service, scene.key, second!);
    expect(keysOf(await scene.agent.lease(10))).toEqual(['till-2', 'till-2']);
  });

  it.each<[string, (lease: Leased) => Promise<unknown>]>([
    ['handed off', async (lease) => (await scene.agent.accept(lease), scene.agent.handoff(lease))],
    ['cancelled', (lease) => scene.cancel(lease.job_id)],
    ['rejected', async (lease) => (await scene.agent.accept(lease), scene.agent.report(lease, 'rejected'))],
  ])('is notified when a lease of a printer at its limit is %s', async (_, end) => {
    for (let n = 0; n < 5; n++) await scene.create();
    const [lease] = await scene.agent.lease(10);
    const waiting = poll(50);
    await untilWaiting(1);
    await end(lease!);
    expect(jobsIn(await waiting)).toHaveLength(1);
  });

  it('gets no jobs of busy printers, until it names none', async () => {
    const [first, second] = await scene.agent.inventory([
      onePrinter,
      { ...onePrinter, printer_key: 'till-2' },
    ]);
    const [stuck, other] = [
      await newJob(service, scene.key, first!),
      await newJob(service, scene.key, second!),
    ];
    expect(jobsIn(await poll(0, { busy_printers: ['till-1'] }))).toEqual([other]);
    const waiting = poll(50, { busy_printers: ['till-1'] });
    await untilWaiting(1);
    await beat(['till-1', 'unknown']);
    await beat([]);
    expect(jobsIn(await waiting)).toEqual([stuck]);
  });

  it('gets no jobs of printers that a heartbeat names as busy during the poll', async () => {
    const waiting = poll(25);
    await untilWaiting(1);
    await beat(['till-1']);
    await scene.create();
    await service.advance(25 * SECOND);
    expect((await waiting).status).toBe(204);
  });

  it('ignores the busy printers of an earlier session', async () => {
    const jobId = await scene.create();
    await beat(['till-1']);
    await scene.agent.start();
    expect(jobsIn(await poll(0))).toEqual([jobId]);
  });

  it('gets no jobs of an offline printer', async () => {
    await scene.create();
    await scene.agent.inventory([{ ...onePrinter, online: false }]);
    expect(await scene.agent.lease()).toEqual([]);
    await scene.agent.inventory([]);
    expect(await scene.agent.lease()).toEqual([]);
  });

  it('releases a lease, repeatably and without counting as a lapse', async () => {
    const jobId = await scene.create();
    for (let round = 1; round <= 6; round++) {
      if (round === 6) await service.advance(SECOND);
      const [lease] = await scene.agent.lease(1);
      expect(lease!.fence).toBe(round);
      for (let n = 0; n < 2; n++) expect((await scene.agent.release(lease!)).body.data!.released).toBe(true);
    }
    expect(await scene.job(jobId)).toMatchObject({ status: 'queued', attempt_count: 6 });
  });

  it('cannot release an accepted, lost or unknown lease', async () => {
    await scene.create();
    const lease = await scene.lease('accepted');
    expect(verdict(await scene.agent.release(lease))).toBe('409 LEASE_LOST');
    const second = await scene.create();
    const [cancelled] = await scene.agent.lease(1);
    await scene.cancel(second);
    expect(verdict(await scene.agent.release(cancelled!))).toBe('409 LEASE_LOST');
    for (const lease_id of [randomUUID(), 'nonsense'])
      expect(verdict(await scene.agent.release({ ...lease, lease_id }))).toBe('404 LEASE_NOT_FOUND');
  });

  it.each([
    ['wait_seconds', 51],
    ['wait_seconds', -1],
    ['wait_seconds', undefined],
    ['max', 0],
    ['max', 11],
    ['session_id', 'x'],
    ['colour', 'blue'],
  ])('refuses a wrong %s', async (field, value) => {
    const refused = await poll(0, { [field]: value });
    expect(verdict(refused)).toBe('400 INVALID_REQUEST');
    expect(refused.body.message).toContain(field);
  });

  it('leases no job after the client disconnects', async () => {
    const hangUp = new AbortController();
    const abandoned = fetch(`${service.url}/agent/leases`, {
      method: 'POST',
      signal: hangUp.signal,
      headers: { authorization: `Bearer ${scene.agent.credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ session_id: scene.agent.sessionId, wait_seconds: 50, max: 1 }),
    }).catch((error: Error) => error.name);
    await untilWaiting(1);
    hangUp.abort();
    expect(await abandoned).toBe('AbortError');
    await untilWaiting(0);
    const jobId = await scene.create();
    expect((await scene.job(jobId)).status).toBe('queued');
  });
});
