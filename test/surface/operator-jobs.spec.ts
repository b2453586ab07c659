import { randomUUID } from 'node:crypto';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import * as the from '../kit/examples/jobs.js';
import { metadata } from '../kit/recorded.js';
import { sceneForAll } from '../kit/job-scene.js';
import { serviceForAll } from '../kit/service.js';
import { TestAgent } from '../kit/world.js';
import { itemsOf, verdict } from './asking.js';

const UNKNOWN = '01990000-0000-7000-8000-00000000dead';

describe('operating jobs', () => {
  const service = serviceForAll();
  const north = sceneForAll(service);
  const south = sceneForAll(service);
  /** In the order of creation. */
  let jobs: { printed: string; waiting: string; elsewhere: string; cancelled: string };
  beforeAll(async () => {
    const printed = await north.create({ title: 'Receipt' });
    await north.agent.print();
    const waiting = await north.create();
    const elsewhere = await south.create();
    const cancelled = await south.create();
    await south.cancel(cancelled);
    jobs = { printed, waiting, elsewhere, cancelled };
  });

  const get = (path: string, as = service.operatorToken) => service.call('GET', `/operator${path}`, { as });
  const listed = async (query: string) => itemsOf(await get(`/jobs${query}`)).map(({ job_id }) => job_id);

  it('lists the jobs of all accounts, newest first', async () => {
    const { body } = await get('/jobs');
    expect(itemsOf(await get('/jobs')).map(({ job_id, account_id }) => [job_id, account_id])).toEqual([
      [jobs.cancelled, south.accountId],
      [jobs.elsewhere, south.accountId],
      [jobs.waiting, north.accountId],
      [jobs.printed, north.accountId],
    ]);
    expect(body.data!.total).toBe(4);
  });

  it('lists by account, by status and by both', async () => {
    expect(await listed(`?account_id=${north.accountId}`)).toEqual([jobs.waiting, jobs.printed]);
    expect(await listed('?status=queued')).toEqual([jobs.elsewhere, jobs.waiting]);
    expect(await listed(`?status=queued&account_id=${south.accountId}`)).toEqual([jobs.elsewhere]);
    expect(await listed('?status=manual_review')).toEqual([]);
  });

  it('returns a page with the total', async () => {
    const { body } = await get('/jobs?limit=2&offset=1');
    expect((body.data!.items as { job_id: string }[]).map(({ job_id }) => job_id)).toEqual([
      jobs.elsewhere,
      jobs.waiting,
    ]);
    expect(body.data!.total).toBe(4);
  });

  it('refuses an unknown account, an invalid status and a limit out of range', async () => {
    expect(verdict(await get(`/jobs?account_id=${UNKNOWN}`))).toBe('404 ACCOUNT_NOT_FOUND');
    for (const query of ['status=lost', 'limit=0', 'limit=1001', 'account_id=x', 'printer_id=x'])
      expect(verdict(await get(`/jobs?${query}`))).toBe('400 INVALID_REQUEST');
  });

  it('shows a job with its history, its account and its computer, without its document', async () => {
    const { body, text } = await get(`/jobs/${jobs.printed}`);
    const { duration_ms: _, ...integration } = await north.job(jobs.printed);
    expect(body.data).toMatchObject({
      ...integration,
      account_id: north.accountId,
      computer_id: north.agent.computerId,
      source: 'integration',
      account: { account_id: north.accountId, name: 'Acme', plan: expect.any(Object) },
      computer: { computer_id: north.agent.computerId, hostname: 'FRONT-DESK', status: 'online' },
    });
    expect(text).not.toContain('Hello, printer');
  });

  it('answers 404 for a job that does not exist', async () => {
    expect(verdict(await get(`/jobs/${UNKNOWN}`))).toBe('404 JOB_NOT_FOUND');
    expect(verdict(await get('/jobs/nonsense'))).toBe('404 JOB_NOT_FOUND');
  });

  it('shows a computer with its printers', async () => {
    const { body } = await get(`/computers/${north.agent.computerId}`);
    expect(body.data).toMatchObject({
      account_id: north.accountId,
      computer_id: north.agent.computerId,
      status: 'online',
      last_seen_at: service.clock.now(),
      printers: [{ printer_id: north.printerId, name: 'Till 1', status: 'online' }],
      unknown_jobs: [],
    });
    expect(verdict(await get(`/computers/${UNKNOWN}`))).toBe('404 COMPUTER_NOT_FOUND');
  });

  it('shows the health of its agent and stores it only when its state changes', async () => {
    const { agent } = north;
    const figures = { free_bytes: 5000, low_space: true, unsent_reports: 2, oldest_report_seconds: 600 };
    const last_error = { code: 'NETWORK', message: 'no route', at: '2026-11-21T12:00:00.000Z' };
    const beat = async (health: object) => {
      const json = { session_id: agent.sessionId, leases: [], health };
      expect((await agent.call('POST', '/heartbeat', { json })).status).toBe(200);
    };
    const stuck_printers = [{ printer_key: 'till-1', reason: 'no progress', since: last_error.at }];
    for (const free_bytes of [5000, 4000, 3000])
      await beat({ ...figures, free_bytes, last_error, stuck_printers });
    const { body } = await get(`/computers/${agent.computerId}`);
    expect(body.data).toMatchObject({
      health: {
        free_bytes: 5000,
        low_space: true,
        unsent_reports: 2,
        behind: true,
        last_error,
        stuck_printers,
      },
    });
    const events = await service.stores.events.load(`computer-${agent.computerId}`);
    expect(events.filter(({ type }) => type === 'AgentHealthChanged')).toHaveLength(1);
  });

  it('lists the computers of an account with the health of their agents', async () => {
    const path = `/accounts/${north.accountId}/computers`;
    const second = await TestAgent.ready(service, north.accountId);
    await service.operate('POST', `/computers/${second.agent.computerId}/disable`);

    const { body } = await get(path);
    expect(body.data).toMatchObject({
      items: [
        { computer_id: second.agent.computerId, status: 'disabled', health: null },
        { computer_id: north.agent.computerId, status: 'online', health: { behind: true } },
      ],
      total: 2,
    });
    expect((await get(`${path}?status=disabled`)).body.data).toMatchObject({
      items: [{ computer_id: second.agent.computerId }],
      total: 1,
    });
    expect(verdict(await get(`/accounts/${UNKNOWN}/computers`))).toBe('404 ACCOUNT_NOT_FOUND');
  });

  describe('with more than 1,000 events', () => {
    const appendLateResults = async (jobId: string, count: number) => {
      const stream = `job-${jobId}`;
      const expected = (await service.stores.events.load(stream)).length - 1;
      const stored = (event: JobEvent) => ({ id: randomUUID(), ...event, metadata });
      const late = (n: number) => the.recordedLate(`report-${n}`, 'spooler_completed');
      const events = Array.from({ length: count }, (_, n) => stored(late(n)));
      await service.stores.events.append({ stream, expected, events });
      return events.map(({ id }) => id);
    };

    it('returns the newest 1,000 with history_truncated to client and operator', async () => {
      expect(await south.job(jobs.cancelled)).not.toHaveProperty('history_truncated');
      const ids = await appendLateResults(jobs.cancelled, 1_003);
      const newest = { history_truncated: true, status: 'cancelled' };
      const asClient = await south.job(jobs.cancelled);
      expect(asClient).toMatchObject(newest);
      expect(asClient.history.map(({ event_id }) => event_id)).toEqual(ids.slice(-1_000));
      const asOperator = (await get(`/jobs/${jobs.cancelled}`)).body.data!;
      expect(asOperator).toMatchObject({ ...newest, history: asClient.history });
    });
  });
});
