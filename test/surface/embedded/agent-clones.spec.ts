import { sessionIdFor } from '../../../src/contexts/devices/index.js';
import type { Answered } from '../../kit/http/client.js';
import { sceneForEach } from '../../kit/job-scene.js';
import { serviceForAll } from '../../kit/service.js';
import type { Leased, TestAgent } from '../../kit/world.js';
import { HOUR, SECOND, verdict } from '../asking.js';

const service = serviceForAll();
const scene = sceneForEach(service);
/** The machine with the first session, and its clone. */
let older: TestAgent;
let clone: TestAgent;
beforeEach(async () => {
  older = scene.agent;
  older.namesSession = true;
  clone = older.clone();
});

const line = ({ job_id, lease_id, fence }: Leased, phase: string) => ({ job_id, lease_id, fence, phase });
const replaced = '409 SESSION_REPLACED';
const codesOf = async (...answers: Promise<Answered>[]) => (await Promise.all(answers)).map(verdict);
const jobOf = ({ job_id }: Leased) => scene.job(job_id);
const suspected = { status: 'manual_review', failure_class: 'ambiguous', failure_code: 'CLONE_SUSPECTED' };

describe('a replaced session', () => {
  it('is refused at every call that names it', async () => {
    const leased = await scene.at('leased');
    const accepted = await scene.at('accepted');
    const handedOff = await scene.at('handed_off');
    await clone.start([line(leased, 'leased'), line(accepted, 'accepted'), line(handedOff, 'handing_off')]);
    expect(await codesOf(older.accept(leased), older.release(leased), older.handoff(accepted))).toEqual([
      replaced,
      replaced,
      replaced,
    ]);
    expect(await codesOf(older.handoff(handedOff), older.heartbeat(accepted.lease_id))).toEqual([
      replaced,
      replaced,
    ]);
    const poll = { session_id: older.sessionId, wait_seconds: 0, max: 1 };
    expect(await codesOf(older.call('POST', '/leases', { json: poll }))).toEqual([replaced]);
    const events = [{ event_id: handedOff.lease_id, ...line(handedOff, ''), type: 'spooled' }];
    const report = { session_id: older.sessionId, events };
    expect(await codesOf(older.call('POST', '/events', { json: report }))).toEqual([replaced]);
    expect(await jobOf(handedOff)).toMatchObject({ status: 'accepted_by_agent' });
  });

  it('is recorded once for any number of calls', async () => {
    await clone.start();
    for (let n = 0; n < 3; n++) await older.heartbeat();
    const events = await service.stores.events.load(`computer-${older.computerId}`);
    expect(events.filter(({ type }) => type === 'ReplacedSessionCalled')).toHaveLength(1);
  });
});

describe('two machines with one credential', () => {
  it('park the job even if the clone reports before the older machine', async () => {
    const lease = await scene.at('handed_off');
    await clone.start([line(lease, 'handing_off')]);
    expect(await clone.report(lease, 'not_submitted')).toMatchObject({ result: 'applied' });
    expect(await jobOf(lease)).toMatchObject({ status: 'failed', retry_state: 'scheduled' });
    await service.advance(39 * SECOND);
    expect(await clone.lease()).toEqual([]);
    expect(await codesOf(older.heartbeat(lease.lease_id))).toEqual([replaced]);
    const job = await jobOf(lease);
    expect(job).toMatchObject(suspected);
    expect(Object.keys(job)).not.toContain('next_attempt_at');
    await service.advance(HOUR);
    expect(await clone.lease()).toEqual([]);
  });
});

describe('an agent that sends no session_id', () => {
  it('acts for the current session', async () => {
    older.namesSession = false;
    const lease = await scene.at('leased');
    await older.start([line(lease, 'leased')]);
    expect((await older.accept(lease)).status).toBe(200);
    expect((await older.handoff(lease)).status).toBe(200);
    expect(await older.report(lease, 'spooler_completed')).toMatchObject({ result: 'applied' });
  });
});

describe('an agent that has named its session in a call for a permit', () => {
  it('is refused without session_id in later calls, also in a later session', async () => {
    const accepted = await scene.at('accepted');
    const leased = await scene.at('leased');
    clone.namesSession = false;
    await clone.start([line(accepted, 'accepted'), line(leased, 'leased')]);
    const report = { events: [{ event_id: leased.lease_id, ...line(leased, ''), type: 'spooled' }] };
    const answers = codesOf(
      clone.accept(accepted),
      clone.handoff(accepted),
      clone.release(leased),
      clone.call('POST', '/events', { json: report }),
    );
    expect(await answers).toEqual(Array(4).fill('400 INVALID_REQUEST'));
    const events = await service.stores.events.load(`computer-${older.computerId}`);
    expect(events.filter(({ type }) => type === 'SessionNamingNoted')).toHaveLength(1);
  });
});

describe('a session that the store has lost', () => {
  it('gets 404, and a new session takes over its lease', async () => {
    const lease = await scene.at('accepted');
    older.sessionId = sessionIdFor(older.computerId, 'ffffffff-ffff-7fff-bfff-ffffffffffff');
    const poll = { session_id: older.sessionId, wait_seconds: 0, max: 1 };
    const answers = codesOf(
      older.heartbeat(),
      older.accept(lease),
      older.handoff(lease),
      older.release(lease),
      older.call('POST', '/leases', { json: poll }),
      older.call('POST', '/events', { json: { session_id: older.sessionId, events: [{}] } }),
    );
    expect(new Set(await answers)).toEqual(new Set(['404 SESSION_NOT_FOUND']));
    const { reconcile } = await older.start([line(lease, 'accepted')]);
    expect(reconcile[0]).toMatchObject({ verdict: 'continue' });
    expect((await older.handoff(lease)).status).toBe(200);
  });
});
