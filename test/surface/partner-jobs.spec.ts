import { randomUUID } from 'node:crypto';
import { TestPartner } from '../kit/partner.js';
import { serviceForAll } from '../kit/service.js';
import { createJob, onePrinter, TestAgent } from '../kit/world.js';
import { idOf, verdict } from './asking.js';

const FIELDS = [
  'job_id',
  'account_id',
  'environment',
  'printer_id',
  'status',
  'raw_status',
  'external_id',
  'title',
  'content_type',
  'content_hash',
  'content_size_bytes',
  'copies',
  'created_at',
  'updated_at',
  'expires_at',
  'completed_at',
  'failure_code',
  'failure_message',
];

describe('jobs of a partner', () => {
  const service = serviceForAll({ env: { PRESENCE_TIMEOUT_SECONDS: '31000000' } });
  let partner: TestPartner;
  let accountId: string;
  let agent: TestAgent;
  let printerId: string;
  beforeAll(async () => {
    partner = await TestPartner.open(service);
  });
  beforeEach(async () => {
    accountId = await partner.account();
    ({ agent, printerId } = await TestAgent.ready(service, accountId));
  });

  const show = async (jobId: unknown) =>
    (await partner.call('GET', `/accounts/${accountId}/jobs/${String(jobId)}`)).body.data!;

  describe('creating', () => {
    it('queues a job and returns exactly the fields of the contract', async () => {
      const { status, body } = await partner.print(accountId, printerId, {
        external_id: 'o-1',
        title: 'Receipt',
      });
      expect([status, body.code]).toEqual([201, 'JOB_CREATED']);
      expect(Object.keys(body.data!)).toEqual(FIELDS);
      expect(body.data).toMatchObject({
        account_id: accountId,
        printer_id: printerId,
        status: 'queued',
        raw_status: 'queued',
        external_id: 'o-1',
        title: 'Receipt',
        content_type: 'text',
        content_size_bytes: 14,
        copies: 1,
        completed_at: null,
      });
      expect(await show(body.data!.job_id)).toEqual(body.data);
    });

    it('answers a replay with the current job', async () => {
      const key = randomUUID();
      const first = await partner.print(accountId, printerId, {}, key);
      await agent.print();
      const replay = await partner.print(accountId, printerId, { copies: 1 }, key);
      expect([replay.status, replay.body.code]).toEqual([200, 'JOB_IDEMPOTENT_REPLAY']);
      expect(replay.headers.get('idempotent-replayed')).toBe('true');
      expect(replay.body.data).toMatchObject({ job_id: first.body.data!.job_id, status: 'printed' });
    });

    it('refuses another request under the same key', async () => {
      const key = randomUUID();
      await partner.print(accountId, printerId, {}, key);
      const { status, body } = await partner.print(accountId, printerId, { copies: 2 }, key);
      expect([status, body.code, body.retryable]).toEqual([409, 'SVC_IDEMPOTENCY_CONFLICT', false]);
    });

    it('keeps keys separate from those of the Integration API', async () => {
      const made = await service.operate('POST', `/accounts/${accountId}/keys`, { scopes: ['jobs:create'] });
      const key = randomUUID();
      const mine = await partner.print(accountId, printerId, {}, key);
      const theirs = await createJob(service, String(made.api_key), printerId, {}, key);
      expect([mine.status, theirs.status]).toEqual([201, 201]);
      expect(mine.body.data!.job_id).not.toBe(theirs.body.data!.job_id);
      expect(await partner.list(`/accounts/${accountId}/jobs`)).toHaveLength(2);
    });

    it('refuses an offline printer or an unsupported content type', async () => {
      const inventory = [
        { ...onePrinter, printer_key: 'off', online: false },
        {
          ...onePrinter,
          printer_key: 'raw',
          capabilities: { ...onePrinter.capabilities, content_types: ['raw'] },
        },
      ];
      const [offline, raw] = await agent.inventory(inventory);
      const refused = await partner.print(accountId, offline!);
      expect([refused.status, refused.body.code]).toEqual([409, 'PRINTER_NOT_READY']);
      const unsupported = await partner.print(accountId, raw!);
      expect([unsupported.status, unsupported.body.code]).toEqual([409, 'CONTENT_TYPE_NOT_SUPPORTED']);
    });

    it('respects plan and environment of the account', async () => {
      const virtual = await TestAgent.ready(service, accountId);
      await service.operate('POST', `/accounts/${accountId}/plan`, {
        max_content_bytes: 5,
        jobs_per_month: 1,
      });
      const large = await partner.print(accountId, virtual.printerId);
      expect([large.status, large.body.code]).toEqual([413, 'CONTENT_TOO_LARGE']);
      await service.operate('POST', `/accounts/${accountId}/plan`, { max_content_bytes: 100 });
      expect((await partner.print(accountId, virtual.printerId)).status).toBe(201);
      const over = await partner.print(accountId, virtual.printerId);
      expect([over.status, over.body.code]).toEqual([409, 'PLAN_LIMIT_REACHED']);
    });

    it('is refused while the environment of the account is switched off, other calls are not', async () => {
      const { printerId: printer } = await TestAgent.ready(service, accountId);
      const before = await partner.print(accountId, printer);
      const environment = `/accounts/${accountId}/environment`;
      await service.operate('POST', environment, { enabled: false });
      const refused = await partner.print(accountId, printer);
      expect(verdict(refused)).toBe('503 PUBLIC_API_DISABLED');
      expect(refused.body.retryable).toBe(false);
      expect(refused.headers.get('retry-after')).toBeNull();
      const job = `/accounts/${accountId}/jobs/${idOf(before)}`;
      expect((await partner.call('GET', job)).status).toBe(200);
      await service.operate('POST', environment, { enabled: true });
      expect((await partner.print(accountId, printer)).status).toBe(201);
    });
  });

  describe('reading', () => {
    const statusOf = async (jobId: unknown) => {
      const { status, raw_status } = await show(jobId);
      return [status, raw_status];
    };

    it('shows four statuses during printing', async () => {
      const { body } = await partner.print(accountId, printerId);
      const jobId = body.data!.job_id;
      expect(await statusOf(jobId)).toEqual(['queued', 'queued']);
      const [lease] = await agent.lease(1);
      expect(await statusOf(jobId)).toEqual(['processing', 'leased']);
      await agent.accept(lease!);
      expect(await statusOf(jobId)).toEqual(['processing', 'accepted_by_agent']);
      await agent.handoff(lease!);
      await agent.report(lease!, 'spooled', { spooler_provider: 'virtual', spooler_job_id: '1' });
      expect(await statusOf(jobId)).toEqual(['processing', 'sent_to_spooler']);
      await agent.report(lease!, 'spooler_completed');
      expect(await statusOf(jobId)).toEqual(['printed', 'spooler_completed']);
      expect((await show(jobId)).completed_at).toBe(service.clock.now());
    });

    it('shows a scheduled retry as processing and a final failure as failed', async () => {
      const { body } = await partner.print(accountId, printerId);
      const [lease] = await agent.lease(1);
      await agent.accept(lease!);
      const failure = { failure_code: 'RENDER_FAILED', message: 'no driver' };
      await agent.report(lease!, 'not_submitted', { ...failure, failure_class: 'temporary' });
      expect(await statusOf(body.data!.job_id)).toEqual(['processing', 'failed']);
      await service.advance(15_000);
      const [again] = await agent.lease(1);
      await agent.accept(again!);
      await agent.report(again!, 'rejected', { ...failure, failure_class: 'permanent' });
      expect(await show(body.data!.job_id)).toMatchObject({
        status: 'failed',
        raw_status: 'failed',
        failure_code: 'RENDER_FAILED',
        failure_message: 'no driver',
      });
    });

    it('shows an expired job as failed and a parked one as processing', async () => {
      const expires_at = service.fromNow(60_000);
      const { body: short } = await partner.print(accountId, printerId, { expires_at });
      await service.advance(61_000);
      expect(await statusOf(short.data!.job_id)).toEqual(['failed', 'expired']);
      const { body } = await partner.print(accountId, printerId);
      const [lease] = await agent.lease(1);
      await agent.accept(lease!);
      await agent.handoff(lease!);
      await agent.report(lease!, 'spooler_vanished');
      expect(await statusOf(body.data!.job_id)).toEqual(['processing', 'manual_review']);
    });
  });

  describe('listing', () => {
    it('is ordered newest first and filtered by status and printer', async () => {
      const [second] = await agent.inventory([{ ...onePrinter, printer_key: 'other' }]);
      await agent.inventory([onePrinter, { ...onePrinter, printer_key: 'other' }]);
      const printed = (await partner.print(accountId, printerId)).body.data!.job_id;
      await agent.print();
      const queued = (await partner.print(accountId, printerId)).body.data!.job_id;
      const elsewhere = (await partner.print(accountId, second!)).body.data!.job_id;
      const of = async (query: string) =>
        (await partner.list(`/accounts/${accountId}/jobs?${query}`)).map(({ job_id }) => job_id);
      expect(await of('')).toEqual([elsewhere, queued, printed]);
      expect(await of('status=printed')).toEqual([printed]);
      expect(await of('status=queued')).toEqual([elsewhere, queued]);
      expect(await of(`printer_id=${printerId}`)).toEqual([queued, printed]);
      expect(await of(`printer_id=${printerId}&status=failed`)).toEqual([]);
    });

    it.each([
      ['status=spooler_completed', 400],
      ['printer_id=7', 400],
      ['offset=0', 400],
      ['limit=0', 400],
      ['limit=101', 400],
      ['external_id=o-1', 400],
      ['printer_id=01990000-0000-7000-8000-00000000ffff', 404],
    ])('answers ?%s with %d', async (query, status) => {
      expect((await partner.call('GET', `/accounts/${accountId}/jobs?${query}`)).status).toBe(status);
    });
  });
});
