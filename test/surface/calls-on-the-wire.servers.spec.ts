import { AgentAuthenticator } from '../../src/api/agent/agent.authenticator.js';
import { ApiKeyAuthenticator } from '../../src/api/integration/api-key.authenticator.js';
import { JobNotifier } from '../../src/contexts/jobs/index.js';
import { ContentStore, EventStore, ViewStore } from '../../src/event-sourcing/index.js';
import type { ManualClock } from '../kit/manual-clock.js';
import { soon, withinASecond } from '../kit/polling.js';
import { Rounds } from '../kit/rounds.js';
import { openTestServerStores, startServers, type Servers } from '../kit/server-stores.js';
import { startTestService, type TestService } from '../kit/service.js';
import { createJob, openAccount, TestAgent } from '../kit/world.js';
import { cancel, newJob, SECOND, verdict } from './asking.js';

/** Of workers and the read models; heartbeats of computers wait for a common write. */
const BACKGROUND = /^\w+ (group_leases|projecting_instances|read_state|maintenance_requests|signs 1)/;
const COUNTED = /^(find|getMore|aggregate|insert|update|delete|findAndModify) /;
const OF_A_VIEW = /_v\d+_\d+_[0-9a-f]{24}_\w+/;

const QUIET_LOOKS = 3;

interface Cost {
  readonly appends: number;
  /** Without those that look how long the log is, which every instance makes each five seconds. */
  readonly reads: number;
  /** Views by name, writes with their write concern. */
  readonly mongo: Readonly<Record<string, number>>;
}

const CREDENTIAL = { 'find computers': 1, 'find accounts': 1 };
const IDLE_POLL: Cost = { appends: 0, reads: 0, mongo: { ...CREDENTIAL, 'find job_view': 1 } };
const HEARTBEAT: Cost = { appends: 0, reads: 0, mongo: CREDENTIAL };
const API_KEY = { 'find api_keys': 1, 'find accounts': 2 };
const CREATE: Cost = {
  appends: 2,
  reads: 2,
  mongo: { 'insert contents.chunks majority': 1, 'insert contents.files majority': 1 },
};
/** The account as it is now; streams of account and computer; claim and content; job, until the views show it. */
const CREATE_IN_A_ROW = 4;
/** Key, account. */
const CREDENTIAL_IN_A_ROW = 2;
/** Of 32 jobs: claims and events of each, documents of 16 at once; the account and the computer are read once. */
const BATCH: Cost = {
  appends: 64,
  reads: 2,
  mongo: { 'insert contents.chunks majority': 2, 'insert contents.files majority': 2 },
};
const GET: Cost = { appends: 0, reads: 0, mongo: { ...API_KEY, 'find job_view': 1 } };
const LIST: Cost = { appends: 0, reads: 0, mongo: { ...API_KEY, 'find job_view': 2 } };
const CANCEL: Cost = { appends: 1, reads: 0, mongo: {} };

describe('calls on the wire', () => {
  let servers: Servers;
  let service: TestService;
  let elsewhere: TestService;
  let accountId: string;
  let key: string;
  let agent: TestAgent;
  let printerId: string;
  const rounds = new Rounds();

  const start = (clock?: ManualClock) =>
    startTestService({
      ...(clock && { clock }),
      env: { ROLE: 'api', SVC_MASTER_KEY: Buffer.alloc(32, 'key').toString('base64') },
      stores: (config, time) => openTestServerStores(config, time, servers),
    });
  beforeAll(async () => {
    servers = await startServers();
    service = await start();
    elsewhere = await start(service.clock);
    const { app } = service.service;
    const held = { strict: false };
    rounds.hold(app.get(EventStore, held), 'load', 'append', 'appendInOrder');
    rounds.hold(app.get(ViewStore, held), 'get', 'getMany', 'find', 'range', 'count', 'totals');
    rounds.hold(app.get(ContentStore, held), 'put');
  });
  beforeEach(async () => {
    ({ accountId, key } = await openAccount(service));
    ({ agent, printerId } = await TestAgent.ready(service, accountId));
  });
  afterAll(async () => {
    await Promise.all([service.close(), elsewhere.close()]);
    await servers.stop();
  });

  async function counted() {
    const [events, { calls }] = await Promise.all([servers.events.counters(), servers.mongo.counters()]);
    return { appends: events.appendsReceived, reads: events.readsReceived - events.headReads, calls };
  }

  /** The counts once nothing is counted any more for some looks: nothing from before is on its way. */
  async function quiet() {
    let last = await counted();
    let equal = 0;
    await soon(async () => {
      const next = await counted();
      equal = JSON.stringify(next) === JSON.stringify(last) ? equal + 1 : 0;
      last = next;
      return equal >= QUIET_LOOKS;
    });
    return last;
  }

  /** @param byProjector leaves out the calls on views, of which the projector makes many */
  async function costOf(work: () => Promise<unknown>, { byProjector = false } = {}): Promise<Cost> {
    const before = await quiet();
    await work();
    const after = await counted();
    const mongo: Record<string, number> = {};
    for (const [call, n] of Object.entries(after.calls)) {
      const more = n - (before.calls[call] ?? 0);
      const counts = COUNTED.test(call) && !BACKGROUND.test(call) && !(byProjector && OF_A_VIEW.test(call));
      if (counts && more > 0) mongo[call.replace(OF_A_VIEW, '')] = more;
    }
    return { appends: after.appends - before.appends, reads: after.reads - before.reads, mongo };
  }

  /** As most calls come: no look-up of the credential is still known. */
  const cold = <T>(call: () => Promise<T>) => {
    for (const authenticator of [AgentAuthenticator, ApiKeyAuthenticator])
      service.service.app.get<AgentAuthenticator>(authenticator, { strict: false })['invalidate']();
    return call();
  };
  /** As an Agent calls: seldom. */
  const rarely = (call: () => Promise<unknown>) => {
    service.clock.advance(20 * SECOND);
    return cold(call);
  };
  const poll = (more: object = {}) =>
    agent.call('POST', '/leases', {
      json: { session_id: agent.sessionId, wait_seconds: 0, max: 4, ...more },
    });
  const waiting = () => service.service.app.get(JobNotifier, { strict: false }).waiting;

  it('are none of the event store, and no write for a majority, for an idle poll', async () => {
    await poll();
    const cost = await costOf(() => rarely(poll));
    expect(cost).toEqual(IDLE_POLL);
  });

  it('are none while a poll waits in vain', async () => {
    const polling = poll({ wait_seconds: 25 });
    await soon(() => waiting() === 1);
    const wait = async () => {
      service.clock.advance(25 * SECOND);
      expect((await polling).status).toBe(204);
    };
    expect(await costOf(wait)).toEqual({ appends: 0, reads: 0, mongo: {} });
  });

  it('are the same for a poll that names the position it has seen', async () => {
    await createJob(service, key, printerId);
    const { body } = await poll();
    const seen = String(body.data!.position);
    await agent.release((body.data!.leases as never[])[0]!);
    await agent.print();
    await poll({ seen });
    const cost = await costOf(() => rarely(() => poll({ seen })));
    expect(cost).toEqual(IDLE_POLL);
  });

  it('are none of the event store, and no write for a majority, for a heartbeat', async () => {
    await agent.heartbeat();
    const cost = await costOf(() => rarely(() => agent.heartbeat()));
    expect(cost).toEqual(HEARTBEAT);
  });

  it('are counted for create, get, list and cancel', async () => {
    let jobId = '';
    await createJob(service, key, printerId);
    const create = async () => void (jobId = await newJob(service, key, printerId));
    const byProjector = true;
    expect(await costOf(() => cold(create), { byProjector })).toEqual(CREATE);
    const path = `/svc-api-print-jobs/${jobId}`;
    const get = (headers: Record<string, string> = {}) => service.call('GET', path, { as: key, headers });
    const etag = (await get()).headers.get('etag')!;
    expect(await costOf(() => cold(get))).toEqual(GET);
    expect(await costOf(() => cold(() => get({ 'if-none-match': etag })))).toEqual(GET);
    const list = () => service.call('GET', '/svc-api-print-jobs', { as: key });
    expect(await costOf(() => cold(list))).toEqual(LIST);
    expect(await costOf(() => cold(() => cancel(service, key, jobId)), { byProjector })).toEqual(CANCEL);
  });

  it('follow one another at most four times for a create whose credential is known', async () => {
    await createJob(service, key, printerId);
    expect(await rounds.of(() => cold(() => newJob(service, key, printerId)))).toBe(
      CREDENTIAL_IN_A_ROW + CREATE_IN_A_ROW,
    );
  });

  it('are counted for a batch', async () => {
    const batch = (name: string) => {
      const jobs = Array.from({ length: 32 }, (_, n) => ({
        idempotency_key: `${name}-${accountId}-${n}`,
        printer_id: printerId,
        content: { type: 'text', encoding: 'utf8', data: `Label ${n}` },
      }));
      return service.call('POST', '/svc-api-print-jobs/batch', { as: key, json: { jobs } });
    };
    await batch('before');
    expect(await costOf(() => cold(() => batch('counted')), { byProjector: true })).toEqual(BATCH);
  });

  it('write the heartbeats of many computers at once', async () => {
    const agents = await Promise.all([0, 1, 2, 3].map(() => TestAgent.ready(service, accountId)));
    const bulks = async () => (await servers.mongo.counters()).calls['update signs 1'] ?? 0;
    const [before, began] = [await bulks(), performance.now()];
    for (let n = 0; n < 3; n++) await Promise.all(agents.map(({ agent: one }) => one.heartbeat()));
    await soon(async () => (await bulks()) > before);

    expect((await bulks()) - before).toBeLessThanOrEqual(1 + (performance.now() - began) / SECOND);
  });

  describe('that are saved hide nothing of what another instance stored', () => {
    it('a waiting poll and the next one get its job', async () => {
      await poll();
      const first = String((await createJob(elsewhere, key, printerId)).body.data!.job_id);
      expect((await agent.lease()).map(({ job_id }) => job_id)).toEqual([first]);
      const polling = agent.lease(4, 25);
      await soon(() => waiting() === 1);
      const second = String((await createJob(elsewhere, key, printerId)).body.data!.job_id);

      expect((await polling).map(({ job_id }) => job_id)).toEqual([second]);
    });

    it('a replaced session is told so at its next call, and the new one is known', async () => {
      await poll();
      const started = await elsewhere.call('POST', '/agent/sessions', {
        as: agent.credential,
        json: {
          ...{ installation_id: agent.installationId, agent_version: '1.0.0', journal: [] },
          ...{ operating_system: 'Windows 11', hostname: 'FRONT-DESK' },
        },
      });
      expect((await poll({ session_id: started.body.data!.session_id })).status).toBe(204);
      expect(verdict(await poll())).toBe('409 SESSION_REPLACED');
      expect(verdict(await agent.heartbeat())).toBe('409 SESSION_REPLACED');
    });

    it('a waiting poll of a revoked computer ends', async () => {
      await poll();
      const polling = poll({ wait_seconds: 25 });
      await soon(() => waiting() === 1);
      await elsewhere.operate('POST', `/computers/${agent.computerId}/revoke`);
      expect(verdict(await polling)).toBe('401 CREDENTIAL_INVALID');
    });

    it('a revoked credential ends within a second', async () => {
      await poll();
      await elsewhere.operate('POST', `/computers/${agent.computerId}/revoke`);
      await withinASecond(async () => (await agent.heartbeat()).status === 401);
    });
  });
});
