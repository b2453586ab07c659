import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentProcess } from '../../kit/agent-process.js';
import { agentForEach } from '../../kit/agent-scene.js';
import type { FakeService } from '../../kit/fake-service.js';
import type { FakeJob, NewJob } from '../../kit/fake-service-jobs.js';

const PRINTER = 'virtual:folder';

describe('running the reference agent', () => {
  let service: FakeService;
  let agent: AgentProcess;
  agentForEach((scene) => ({ service, agent } = scene));

  const print = (job: Partial<NewJob> = {}): FakeJob => service.print({ printerKey: PRINTER, ...job });
  const over = (job: FakeJob): Promise<void> =>
    service.until(() => job.phase === 'over', `the end of the job:\n${agent.output}`);
  const said = (job: FakeJob): string[] => job.reports.map(({ type }) => type);

  it('enrols, reports its printer and prints every copy unchanged', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 37]);
    const job = print({ copies: 2, bytes, contentType: 'pdf' });
    agent.start();
    await over(job);

    expect(service.inventory).toMatchObject([{ printer_key: PRINTER, is_virtual: true, online: true }]);
    expect(said(job)).toEqual(['spooled', 'spooler_completed']);
    expect(job.permits).toBe(1);
    expect(await agent.printed()).toEqual(
      new Map([
        [`${job.jobId}-1-1.pdf`, bytes],
        [`${job.jobId}-1-2.pdf`, bytes],
      ]),
    );
  });

  it('stores its credential privately and enrols only once', async () => {
    agent.start();
    await service.until(() => service.count('leases') > 0, 'a poll');
    await agent.kill('SIGTERM');
    agent.start();
    await service.until(() => service.count('sessions') > 1, 'a second session');
    await agent.kill('SIGTERM');

    const credential = await stat(join(agent.stateFolder, 'credential.json'));
    expect(credential.mode & 0o777).toBe(0o600);
    expect(service.count('enroll')).toBe(1);
    expect(agent.output).not.toContain('svc_device_live_');
    expect(agent.output).not.toContain(service.enrollmentToken);
  });

  it('works on several jobs, and hands off those of one printer in order', async () => {
    const jobs = Array.from({ length: 12 }, () => service.jobs.add({ printerKey: PRINTER }));
    agent.start();
    for (const job of jobs) await over(job);

    const handOffs = service.calls.filter(({ call }) => call === 'handoff').map(({ body }) => body.lease_id);
    expect(handOffs).toEqual(jobs.map(({ leaseId }) => leaseId));
    const asked = service.calls.filter(({ call }) => call === 'leases').map(({ body }) => Number(body.max));
    expect(Math.max(...asked)).toBeLessThanOrEqual(service.config.max_leases);
  });

  it('repeats each call whose reply is lost, and prints once', async () => {
    const calls = ['sessions', 'inventory', 'accept', 'handoff', 'events'] as const;
    for (const call of calls) service.next(call, { kind: 'lost' });
    const job = print();
    agent.start();
    await over(job);
    for (const call of calls) await service.until(() => service.count(call) >= 2, `${call} again`);

    expect(said(job)).toEqual(['spooled', 'spooler_completed']);
    expect((await agent.printed()).size).toBe(1);
  });

  it('waits for the Retry-After of a busy service', async () => {
    service.next('accept', { kind: 'refused', status: 503, code: 'UNAVAILABLE', retryAfter: 1 });
    const job = print();
    agent.start();
    await service.until(() => service.count('accept') === 1, 'the first try');
    const first = Date.now();
    await service.until(() => service.count('accept') === 2, 'the second try');

    expect(Date.now() - first).toBeGreaterThanOrEqual(950);
    await over(job);
  });

  it('downloads damaged content again', async () => {
    service.next('content', { kind: 'altered', body: Buffer.from('receipt!') });
    service.next('content', { kind: 'altered', body: Buffer.from('cut') });
    const job = print({ bytes: Buffer.from('receipt\n') });
    agent.start();
    await over(job);

    expect([...(await agent.printed()).values()]).toEqual([Buffer.from('receipt\n')]);
  });

  it('reports that nothing was submitted when the content stays damaged, and continues with the next', async () => {
    for (let n = 0; n < 3; n++) service.next('content', { kind: 'altered', body: Buffer.from('cut') });
    const damaged = print();
    agent.start();
    await over(damaged);
    const next = print();
    await over(next);

    expect(damaged.reports).toMatchObject([
      { type: 'not_submitted', failure_code: 'CONTENT_MISMATCH', failure_class: 'temporary' },
    ]);
    expect([...(await agent.printed()).keys()]).toEqual([`${next.jobId}-1-1.bin`]);
  });

  it('abandons a job whose content is lost, and continues with the next', async () => {
    service.next('content', { kind: 'refused', status: 404, code: 'CONTENT_NOT_FOUND' });
    const lost = print();
    const next = print();
    agent.start();
    await over(next);

    expect(said(lost)).toEqual([]);
    expect(service.count('content')).toBe(2);
    expect([...(await agent.printed()).keys()]).toEqual([`${next.jobId}-1-1.bin`]);
  });

  it.each(['accept', 'handoff'] as const)(
    'abandons jobs when %s is answered LEASE_LOST or JOB_EXPIRED, and continues with the next',
    async (call) => {
      const codes = ['LEASE_LOST', 'JOB_EXPIRED'];
      for (const code of codes) service.next(call, { kind: 'refused', status: 409, code });
      const refused = codes.map(() => print());
      agent.start();
      // Jobs accept beside each other, so a third one could be refused instead.
      await service.until(() => service.count(call) === codes.length, 'the refusals');
      const next = print();
      await over(next);

      expect(refused.map(said)).toEqual([[], []]);
      expect([...(await agent.printed()).keys()]).toEqual([`${next.jobId}-1-1.bin`]);
      expect(service.count(call)).toBe(3);
    },
  );

  it('abandons a job when the heartbeat reports its lease as lost', async () => {
    service.next('accept', { kind: 'refused', status: 503, code: 'UNAVAILABLE', retryAfter: 60 });
    const cancelled = print();
    agent.start();
    await service.until(() => service.count('accept') === 1, 'the accept that hangs');
    service.lost.push({ lease_id: cancelled.leaseId ?? '', reason: 'cancelled' });
    service.jobs.takeLeaseAway(cancelled);
    const next = print();
    await over(next);

    expect([...(await agent.printed()).keys()]).toEqual([`${next.jobId}-1-1.bin`]);
  });

  it('exits with 76 when a newer session took over', async () => {
    agent.start();
    await service.until(() => service.count('leases') > 0, 'a poll');
    service.replaceSession();

    expect(await agent.end()).toEqual({ code: 76, signal: null });
  });

  it('exits with 75 while another agent uses its state folder, and starts after that one was killed', async () => {
    agent.start();
    await service.until(() => service.count('leases') > 0, 'a poll');
    const second = await AgentProcess.prepare(service.url, service.enrollmentToken);
    second.start('--state', agent.stateFolder);
    expect(await second.end()).toEqual({ code: 75, signal: null });

    await agent.kill('SIGKILL');
    second.start('--state', agent.stateFolder);
    await service.until(() => service.count('sessions') === 2, 'the second session');
    await second.remove();
  });

  it('exits with 77 when its token or its credential is refused, and enrols again with a new token', async () => {
    agent.start('--token', 'svc_enroll_live_wrong');
    expect(await agent.end()).toEqual({ code: 77, signal: null });

    agent.start();
    await service.until(() => service.count('leases') > 0, 'a poll');
    await agent.kill('SIGTERM');
    service.next('sessions', { kind: 'refused', status: 401, code: 'CREDENTIAL_INVALID' });
    agent.start();
    await service.until(() => service.count('enroll') === 3, 'the new enrolment');
    const installations = service.calls
      .filter(({ call }) => call === 'enroll')
      .map(({ body }) => body.installation_id);
    expect(new Set(installations).size).toBe(1);
  });

  it('enrols again with a token when its credential cannot be decrypted', async () => {
    agent.start();
    await service.until(() => service.count('leases') > 0, 'a poll');
    await agent.kill('SIGTERM');
    const credential = {
      computer_id: 'c',
      friendly_code: 'AB-12',
      protected_credential: 'of another system',
    };
    await writeFile(join(agent.stateFolder, 'credential.json'), JSON.stringify(credential));
    agent.start();
    await service.until(() => service.count('sessions') === 2, 'the second session');

    expect(service.count('enroll')).toBe(2);
  });

  it('releases untouched leases and exits with 0 on SIGTERM', async () => {
    service.config.max_leases = 1; // No poll is open to which the service could grant the released job.
    for (let i = 0; i < 4; i++)
      service.next('content', { kind: 'refused', status: 503, code: 'X', retryAfter: 60 });
    const job = print();
    agent.start();
    await service.until(() => service.count('content') === 1, 'a download');

    expect(await agent.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(job.phase).toBe('queued');
    expect(await readFile(join(agent.stateFolder, 'journal.ndjson'), 'utf8')).toContain('"done"');
  });

  it('finishes the jobs at the spooler on SIGTERM', async () => {
    const job = print();
    agent.start('--simulate', 'delay=700');
    await service.until(() => job.phase === 'handed_off', 'the hand-off');

    expect(await agent.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(said(job)).toEqual(['spooled', 'spooler_completed']);
  });

  it.each([
    ['fail', ['spooled', 'spooler_failed']],
    ['vanish', ['spooled', 'spooler_vanished']],
    ['cancel', ['spooled', 'spooler_cancelled']],
    ['not_submitted', ['not_submitted']],
    ['reject', ['rejected']],
  ])('simulates %s once, then prints', async (outcome, reports) => {
    const first = print();
    agent.start('--simulate', `outcome=${outcome},times=1`);
    await over(first);
    const second = print();
    await over(second);

    expect(said(first)).toEqual(reports);
    expect(said(second)).toEqual(['spooled', 'spooler_completed']);
    expect((await agent.printed()).size).toBe(1);
  });
});
