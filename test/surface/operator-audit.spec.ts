import { sceneForAll } from '../kit/job-scene.js';
import { serviceForAll } from '../kit/service.js';
import type { StoredEvent } from '../kit/stored-events.js';
import { itemsOf, verdict } from './asking.js';

type Shown = StoredEvent & { readonly metadata: Record<string, unknown> };

describe('auditing stored events', () => {
  const service = serviceForAll();
  const scene = sceneForAll(service);
  let jobId: string;
  beforeAll(async () => {
    jobId = await scene.create({ title: 'Audited' });
    await scene.agent.print();
  });

  const get = (path: string) => service.call('GET', `/operator${path}`, { as: service.operatorToken });
  const post = (path: string) => service.call('POST', `/operator${path}`, { as: service.operatorToken });
  const events = async (path: string) => itemsOf(await get(path)) as unknown as Shown[];

  it("lists the events of a job's stream in order", async () => {
    const stream = await events(`/streams/job-${jobId}`);
    expect(stream.map(({ type }) => type)).toEqual([
      'JobCreated',
      'JobQueued',
      'JobLeased',
      'JobAccepted',
      'HandoffStarted',
      'JobSpooled',
      'JobCompleted',
    ]);
    expect(stream.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(stream[0]).toEqual({
      event_id: expect.any(String),
      type: 'JobCreated',
      stream: `job-${jobId}`,
      revision: 0,
      position: expect.stringMatching(/^\d+$/),
      recorded_at: service.clock.now(),
      data: expect.objectContaining({ jobId, accountId: scene.accountId, title: 'Audited' }),
      metadata: expect.objectContaining({ actor: expect.objectContaining({ kind: 'api_key' }) }),
    });
  });

  it('contains no document content', async () => {
    const { text } = await get('/events?limit=1000');
    expect(text).not.toContain('Hello, printer');
  });

  it('lists all events once each, in order, page by page', async () => {
    const whole = await events('/events?limit=1000');
    const walked: Shown[] = [];
    for (let after = '0'; ; after = walked.at(-1)!.position) {
      const page = await events(`/events?limit=7&after=${after}`);
      if (page.length === 0) break;
      walked.push(...page);
    }
    expect(walked).toEqual(whole);
    const positions = whole.map(({ position }) => BigInt(position));
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    expect(new Set(whole.map(({ event_id }) => event_id)).size).toBe(whole.length);
  });

  it('returns 100 events by default', async () => {
    for (let n = 0; n < 60; n++) await service.operate('POST', '/accounts', { name: `Account ${n}` });
    expect(await events('/events')).toHaveLength(100);
    expect(await events('/events?limit=1')).toHaveLength(1);
  });

  it('starts a stream after a position too', async () => {
    const [first, ...rest] = await events(`/streams/job-${jobId}`);
    expect(await events(`/streams/job-${jobId}?after=${first!.position}`)).toEqual(rest);
  });

  it.each(['limit=0', 'limit=1001', 'after=x', 'after=-1', 'before=1'])('refuses ?%s', async (query) => {
    const refused = await get(`/events?${query}`);
    expect(verdict(refused)).toBe('400 INVALID_REQUEST');
    expect(refused.body.message).toContain(query.split('=')[0]);
  });

  it('answers 404 for an unknown stream or view', async () => {
    for (const name of ['job-01990000-0000-7000-8000-00000000dead', 'nonsense', 'job-x%2F..'])
      expect(verdict(await get(`/streams/${name}`))).toBe('404 STREAM_NOT_FOUND');
    expect(verdict(await post('/views/nonsense/rebuild'))).toBe('404 VIEW_NOT_FOUND');
  });

  it('shows every view with its position and no lag', async () => {
    const [last] = (await events('/events?limit=1000')).slice(-1);
    const views = itemsOf(await get('/views'));
    expect(views.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['accounts', 'api-keys', 'computers', 'printers', 'job-view', 'timers']),
    );
    for (const view of views) expect(view).toMatchObject({ version: expect.any(Number), lag: 0 });
    expect(views.some(({ position }) => position === last!.position)).toBe(true);
  });

  it('verifies every view against a replay, before and after a rebuild', async () => {
    for (const { name } of itemsOf(await get('/views'))) {
      const rebuilt = await post(`/views/${String(name)}/rebuild`);
      expect(rebuilt.body.data).toMatchObject({ name, lag: 0 });
    }
    for (const view of itemsOf(await post('/views/verify'))) {
      expect(view).toMatchObject({ equal: true });
      expect(view.live_digest).toBe(view.replay_digest);
    }
  });
});
