import { JobPolling } from '../../src/api/polling.js';
import { TestPartner } from '../kit/partner.js';
import { serviceForAll, startTestService } from '../kit/service.js';
import { onePrinter, TestAgent } from '../kit/world.js';
import { soon } from '../kit/polling.js';
import type { Answered } from '../kit/http/client.js';

describe('polling as a partner', () => {
  const service = serviceForAll({
    env: { RATE_LIMIT_FACTOR: '1', PRESENCE_TIMEOUT_SECONDS: '31000000' },
  });
  let partner: TestPartner;
  let accountId: string;
  let agent: TestAgent;
  let printerId: string;
  let jobPath: string;
  beforeEach(async () => {
    partner = await TestPartner.open(service);
    accountId = await partner.account();
    ({ agent, printerId } = await TestAgent.ready(service, accountId));
    const { body } = await partner.print(accountId, printerId);
    jobPath = `/accounts/${accountId}/jobs/${String(body.data!.job_id)}`;
  });

  const etagOf = ({ headers }: Answered) => headers.get('etag')!;
  const poll = (path: string, etag: string, more: Record<string, string> = {}) =>
    partner.call('GET', path, { headers: { 'if-none-match': etag, ...more } });

  describe('with If-None-Match', () => {
    it.each(['/jobs?limit=2', '/devices', '/printers?enabled=true', 'job'])(
      'answers 304 without a body while nothing has changed: %s',
      async (list) => {
        const path = list === 'job' ? jobPath : `/accounts/${accountId}${list}`;
        const first = await partner.call('GET', path);
        expect(etagOf(first)).toMatch(/^W\/"[\w-]+"$/);
        const second = await poll(path, etagOf(first));
        expect([second.status, second.text, etagOf(second)]).toEqual([304, '', etagOf(first)]);
        expect(second.headers.get('cache-control')).toBe('no-store');
        expect((await poll(path, `"other", ${etagOf(first)}`)).status).toBe(304);
        expect((await poll(path, '*')).status).toBe(304);
        expect((await poll(path, '"other"')).status).toBe(200);
      },
    );

    it('answers 200 with a new ETag after a visible change', async () => {
      const paths = ['/jobs', '/devices', '/printers'].map((list) => `/accounts/${accountId}${list}`);
      const all = [...paths, jobPath];
      const before = await Promise.all(all.map((path) => partner.call('GET', path)));
      await agent.print();
      await agent.inventory([onePrinter, { ...onePrinter, printer_key: 'second' }]);
      for (const [i, path] of all.entries()) {
        const after = await poll(path, etagOf(before[i]!));
        expect([path, after.status]).toEqual([path, 200]);
        expect(etagOf(after)).not.toBe(etagOf(before[i]!));
      }
    });

    it('ignores heartbeats of an agent', async () => {
      const path = `/accounts/${accountId}/devices`;
      const first = await partner.call('GET', path);
      service.clock.advance(10_000);
      await agent.heartbeat();
      expect((await poll(path, etagOf(first))).status).toBe(304);
      const [device] = await partner.list(path);
      expect(device!.last_seen_at).toBe(service.clock.now());
    });

    it('returns printers again when only their device changes', async () => {
      await agent.inventory([{ ...onePrinter, online: false }]);
      const path = `/accounts/${accountId}/printers`;
      const first = await partner.call('GET', path);
      await service.operate('POST', `/computers/${agent.computerId}/revoke`);
      const second = await poll(path, etagOf(first));
      expect(second.status).toBe(200);
      expect(second.body.data!.items).toEqual([expect.objectContaining({ device_status: 'revoked' })]);
    });

    it('does not count against the rate limit', async () => {
      const first = await partner.call('GET', jobPath);
      const left = (answered: Answered) => Number(answered.headers.get('ratelimit-remaining'));
      for (let i = 0; i < 3; i++) expect(left(await poll(jobPath, etagOf(first)))).toBe(left(first));
      expect(left(await partner.call('GET', jobPath))).toBe(left(first) - 1);
    });
  });

  describe('with Prefer: wait', () => {
    let etag: string;
    beforeEach(async () => {
      etag = etagOf(await partner.call('GET', jobPath));
    });
    /** Resolves when the service has started to wait. */
    const begun = async (seconds: number, given = etag) => {
      const watch = service.service.app.get(JobPolling, { strict: false });
      const before = watch.waiting;
      const answered = poll(jobPath, given, { prefer: `wait=${seconds}` });
      await soon(async () => watch.waiting > before);
      return { answered };
    };

    it('answers as soon as the job changes', async () => {
      const { answered } = await begun(25);
      const [lease] = await agent.lease(1);
      const { status, body, headers } = await answered;
      expect([status, body.data]).toEqual([200, expect.objectContaining({ raw_status: 'leased' })]);
      expect(headers.get('preference-applied')).toBe('wait=25');
      const again = await begun(25, headers.get('etag')!);
      await agent.accept(lease!);
      expect((await again.answered).body.data).toMatchObject({ raw_status: 'accepted_by_agent' });
    });

    it('answers 304 at the end of the wait', async () => {
      const { answered } = await begun(10);
      service.clock.advance(9_999);
      service.clock.advance(1);
      const { status, text, headers } = await answered;
      expect([status, text, headers.get('etag')]).toEqual([304, '', etag]);
      expect(headers.get('preference-applied')).toBe('wait=10');
    });

    it('ignores changes of other jobs', async () => {
      const { answered } = await begun(5);
      await partner.print(accountId, printerId);
      service.clock.advance(5_000);
      expect((await answered).status).toBe(304);
    });

    it('does not wait for an outdated ETag or without If-None-Match', async () => {
      const news = await poll(jobPath, '"old"', { prefer: 'wait=25' });
      expect([news.status, news.headers.get('preference-applied')]).toEqual([200, 'wait=25']);
      const plain = await partner.call('GET', jobPath, { headers: { prefer: 'wait=25' } });
      expect([plain.status, plain.headers.get('preference-applied')]).toEqual([200, null]);
      for (const prefer of ['wait=0', 'wait=x', 'return=minimal']) {
        const { status, headers } = await poll(jobPath, etag, { prefer });
        expect([status, headers.get('preference-applied')]).toEqual([304, null]);
      }
    });

    it('reports any change for If-None-Match: *', async () => {
      const { answered } = await begun(25, '*');
      await agent.lease(1);
      expect((await answered).status).toBe(200);
    });

    it('ends when the client disconnects', async () => {
      const watch = service.service.app.get(JobPolling, { strict: false });
      const gone = new AbortController();
      const asked = fetch(service.url + jobPath, {
        headers: { authorization: `Bearer ${partner.credential}`, 'if-none-match': etag, prefer: 'wait=25' },
        signal: gone.signal,
      });
      await soon(async () => watch.waiting === 1);
      gone.abort();
      await expect(asked).rejects.toThrow();
      await soon(async () => watch.waiting === 0);
    });

    it('answers 401 if the credential was revoked meanwhile', async () => {
      const { answered } = await begun(25);
      await service.operate('POST', `/credentials/${partner.credentialId}/revoke`);
      await agent.lease(1);
      const { status, body } = await answered;
      expect([status, body.code]).toEqual([401, 'CREDENTIAL_INVALID']);
    });

    it('is answered at once when the service stops', async () => {
      const stopping = await startTestService();
      const own = await TestPartner.open(stopping);
      const account = await own.account();
      const { printerId: printer } = await TestAgent.ready(stopping, account);
      const { body } = await own.print(account, printer);
      const path = `/accounts/${account}/jobs/${String(body.data!.job_id)}`;
      const before = stopping.clock.pending;
      const held = own.call('GET', path, { headers: { 'if-none-match': '*', prefer: 'wait=25' } });
      await soon(async () => stopping.clock.pending > before);
      await stopping.close();
      expect((await held).status).toBe(304);
    });
  });
});
