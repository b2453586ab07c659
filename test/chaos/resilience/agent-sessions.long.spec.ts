import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentProcess } from '../../kit/agent-process.js';
import { agentForEach } from '../../kit/agent-scene.js';
import type { FakeCall, FakeService } from '../../kit/fake-service.js';
import type { FakeJob } from '../../kit/fake-service-jobs.js';

const PRINTER = 'virtual:folder';
const COMPLETED = ['spooled', 'spooler_completed'];
const CALLS = ['accept', 'handoff', 'events', 'heartbeat', 'leases'] as const;

describe('running an agent session', () => {
  let service: FakeService;
  let agent: AgentProcess;
  agentForEach((scene) => ({ service, agent } = scene));

  const print = (): FakeJob => service.print({ printerKey: PRINTER });
  const over = (job: FakeJob): Promise<void> =>
    service.until(() => job.phase === 'over', `the end of the job:\n${agent.output}`);
  const said = (job: FakeJob): string[] => job.reports.map(({ type }) => type);
  const made = (call: FakeCall) => service.calls.filter((one) => one.call === call).map(({ body }) => body);
  const polling = (): Promise<void> => service.until(() => service.count('leases') > 0, 'a poll');

  it('sends its id with every accept, hand-off and report', async () => {
    agent.start();
    await over(print());
    const polled = made('leases')[0]!.session_id;

    expect(typeof polled).toBe('string');
    for (const call of ['accept', 'handoff', 'events'] as const) {
      expect(made(call).map(({ session_id }) => session_id)).toContain(polled);
    }
  });

  it('sends its id with a release', async () => {
    for (let n = 0; n < 4; n++) {
      service.next('content', { kind: 'refused', status: 503, code: 'X', retryAfter: 60 });
    }
    print();
    agent.start();
    await service.until(() => service.count('content') === 1, 'a download');
    await agent.kill('SIGTERM');

    expect(made('release')).toEqual([{ session_id: made('leases')[0]!.session_id }]);
  });

  it('starts with the highest position received, even after kill -9', async () => {
    const job = print();
    agent.start('--simulate', 'crash=handing-off');
    await agent.end();
    const permitted = service.position;
    agent.start();
    await over(job);
    await agent.kill('SIGTERM');

    expect(made('sessions').map(({ seen }) => seen)).toEqual([undefined, permitted]);
  });

  it.each(['accept', 'handoff', 'events'] as const)(
    'exits with 76 when %s is answered SESSION_REPLACED, and loses nothing',
    async (call) => {
      service.next(call, { kind: 'refused', status: 409, code: 'SESSION_REPLACED' });
      const job = print();
      agent.start();
      expect(await agent.end()).toEqual({ code: 76, signal: null });
      agent.start();
      await over(job);

      expect(said(job)).toEqual(COMPLETED);
      expect((await agent.printed()).size).toBe(1);
    },
  );

  it('exits with 76 when the release at SIGTERM is answered SESSION_REPLACED', async () => {
    for (let n = 0; n < 4; n++) {
      service.next('content', { kind: 'refused', status: 503, code: 'X', retryAfter: 60 });
    }
    service.next('release', { kind: 'refused', status: 409, code: 'SESSION_REPLACED' });
    print();
    agent.start();
    await service.until(() => service.count('content') === 1, 'a download');

    expect(await agent.kill('SIGTERM')).toEqual({ code: 76, signal: null });
  });

  it.each(CALLS)(
    'starts a new session and prints once when %s is answered SESSION_NOT_FOUND',
    async (call) => {
      service.next(call, { kind: 'refused', status: 404, code: 'SESSION_NOT_FOUND' });
      const job = print();
      agent.start();
      await over(job);
      await service.until(() => service.count('sessions') === 2, 'the second session');

      expect(said(job)).toEqual(COMPLETED);
      expect((await agent.printed()).size).toBe(1);
    },
  );

  it('starts one new session when several calls are answered SESSION_NOT_FOUND', async () => {
    agent.start('--simulate', 'delay=400');
    const jobs = Array.from({ length: 8 }, print);
    await service.until(() => service.jobs.all.some(({ phase }) => phase === 'handed_off'), 'a hand-off');
    service.forgetSessions();
    for (const job of jobs) await over(job);

    expect(service.count('sessions')).toBe(2);
    expect((await agent.printed()).size).toBe(jobs.length);
  });

  it.each([
    ['accept', 'JOB_NOT_FOUND'],
    ['handoff', 'JOB_NOT_FOUND'],
  ] as const)('drops the job and keeps the session when %s is answered %s', async (call, code) => {
    service.next(call, { kind: 'refused', status: 404, code });
    const unknown = print();
    agent.start();
    await service.until(() => service.count(call) === 1, `the refused ${call}`);
    await over(print());

    expect([said(unknown), service.count('sessions')]).toEqual([[], 1]);
  });

  it.each(['accept', 'handoff'] as const)(
    'drops a superseded job whose %s needed a new session',
    async (call) => {
      agent.start();
      await polling();
      service.next(call, { kind: 'refused', status: 404, code: 'SESSION_NOT_FOUND' });
      service.next('sessions', { kind: 'refused', status: 503, code: 'UNAVAILABLE', retryAfter: 1 });
      const superseded = print();
      await service.until(() => service.count('sessions') === 2, 'the new session, refused once');
      service.jobs.takeLeaseAway(superseded);
      await service.until(() => service.count('sessions') === 3, 'the new session');
      const next = print();
      await over(next);

      expect([said(superseded), service.count(call)]).toEqual([[], 2]);
      expect([...(await agent.printed()).keys()]).toEqual([`${next.jobId}-${next.fence}-1.bin`]);
    },
  );

  it('reports not_submitted for an untouched job when the new session asks for its outcome', async () => {
    agent.start();
    await polling();
    service.next('handoff', { kind: 'refused', status: 404, code: 'SESSION_NOT_FOUND' });
    service.next('sessions', { kind: 'refused', status: 503, code: 'UNAVAILABLE', retryAfter: 1 });
    const job = print();
    await service.until(() => service.count('sessions') === 2, 'the new session, refused once');
    job.phase = 'handing_off';
    await over(job);

    expect([said(job), (await agent.printed()).size]).toEqual([['not_submitted'], 0]);
  });

  it('ignores a permit that arrives after the next session has begun, and requests it again', async () => {
    agent.start();
    await polling();
    let arrive: () => void = () => undefined;
    service.next('handoff', { kind: 'held', until: new Promise<void>((resolve) => (arrive = resolve)) });
    const job = print();
    await service.until(() => service.count('handoff') === 1, 'the first hand-off');
    job.phase = 'accepted'; // The session's state in the rolled-back store.
    service.forgetSessions();
    await service.until(() => service.count('sessions') === 2, 'the next session');
    const next = service.count('heartbeat') + 1;
    await service.until(() => service.count('heartbeat') > next, 'a heartbeat of the next session');
    expect((await agent.printed()).size).toBe(0);
    arrive();
    await over(job);

    const sessions = made('handoff').map(({ session_id }) => session_id);
    expect([sessions.length, new Set(sessions).size]).toEqual([2, 2]);
    expect([said(job), (await agent.printed()).size]).toEqual([COMPLETED, 1]);
  });

  it('keeps reports when the refusal is not about their content', async () => {
    service.next('events', { kind: 'refused', status: 403, code: 'FORBIDDEN' });
    const job = print();
    agent.start('--simulate', 'delay=500');
    await over(job);

    expect(said(job)).toEqual(COMPLETED);
  });

  it('never prints an attempt again that a rolled-back service grants again', async () => {
    agent.start('--simulate', 'delay=1500');
    const job = print();
    await service.until(() => job.phase === 'handed_off', 'the hand-off');
    Object.assign(job, { phase: 'queued', fence: job.fence - 1 });
    service.changed();
    await service.until(() => job.phase === 'leased', 'the second grant');
    await over(job);

    expect([job.permits, (await agent.printed()).size]).toEqual([1, 1]);
    expect(said(job)).toEqual(COMPLETED);
  });

  it('reports an uncertain end for an untouched job of a damaged journal', async () => {
    const job = print();
    agent.start('--simulate', 'crash=after-accept');
    await agent.end();
    await appendFile(join(agent.stateFolder, 'journal.ndjson'), '\u0000\u0000\n');
    job.phase = 'handing_off';
    agent.start();
    await over(job);

    expect(job.reports).toMatchObject([{ type: 'spooler_vanished', failure_class: 'ambiguous' }]);
  });

  it('reports an uncertain end for a hand-off to a folder replaced since', async () => {
    const job = print();
    agent.start('--simulate', 'crash=during-submit');
    await agent.end();
    agent.start('--virtual', join(agent.stateFolder, 'another'));
    await over(job);

    expect(job.reports).toMatchObject([{ type: 'spooler_vanished', failure_class: 'ambiguous' }]);
  });
});
