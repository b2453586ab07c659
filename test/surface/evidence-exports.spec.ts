import { EvidenceAnswers } from '../../src/api/evidence-answers.js';
import { v7 } from 'uuid';
import { EvidenceLog } from '../../src/evidence/evidence-log.js';
import { CorruptEventError } from '../../src/kernel/errors.js';
import { JobScene, sceneForAll } from '../kit/job-scene.js';
import { joined } from '../kit/panel.js';
import { metadata } from '../kit/recorded.js';
import { serviceForAll } from '../kit/service.js';
import { FileFolder, goIsMissing } from '../kit/verifiers.js';
import { verdict } from './asking.js';

const folder = new FileFolder();
afterAll(() => folder.remove());

const service = serviceForAll();
const scene = sceneForAll(service, { slug: 'acme' });

const get = (path: string, as = scene.key) => service.call('GET', path, { as });
const publish = () => service.service.app.get(EvidenceLog, { strict: false }).publish();
async function textOf(path: string, as?: string): Promise<string> {
  const answered = await get(path, as);
  if (answered.status !== 200) throw new Error(`GET ${path}: ${answered.status} ${answered.text}`);
  return answered.text;
}
async function findings(text: string, ...kept: string[]): Promise<readonly (readonly string[])[]> {
  return folder.findings(text, (await textOf('/evidence/log/vkey')).trim(), ...kept);
}
const none = goIsMissing ? [[]] : [[], []];

describe('the evidence of an account', () => {
  it('is not there before the first checkpoint', async () => {
    const jobId = await scene.create();
    const paths = ['/head', '/account', `/jobs/${jobId}`, '/log/checkpoint', '/log/vkey', '/log/tile/0/000'];
    for (const path of paths) expect(verdict(await get(`/evidence${path}`))).toBe('409 NOT_PUBLISHED_YET');
    const operated = await get(`/operator/evidence/streams/job-${jobId}`, service.operatorToken);
    expect(verdict(operated)).toBe('409 NOT_PUBLISHED_YET');
  });

  it('holds in both verifiers, from kept notes on', async () => {
    await publish();
    const kept = [await textOf('/evidence/log/checkpoint'), await textOf('/evidence/head')];
    const since = kept[0]!.split('\n')[1]!;
    const jobs: string[] = [];
    for (let n = 0; n < 20; n++) jobs.push((await scene.at('completed')).job_id);
    await publish();
    const account = await textOf(`/evidence/account?since=${since}`);
    expect(await findings(account, ...kept)).toEqual(none);
    const job = await textOf(`/evidence/jobs/${jobs[7]}?since=${since}`);
    expect(await findings(job, ...kept)).toEqual(none);
    expect(job).toContain('"type":"JobCompleted"');
    expect(await findings(await textOf(`/evidence/jobs/${jobs[7]}`), ...kept)).not.toEqual(none);
    const operated = `/operator/evidence/accounts/${scene.accountId}?since=${since}`;
    expect(await findings(await textOf(operated, service.operatorToken), ...kept)).toEqual(none);
    const system = await textOf('/operator/evidence/accounts/system', service.operatorToken);
    expect(await findings(system)).toEqual(none);
  });

  it('shows no event of another account', async () => {
    const theirs = await JobScene.open(service, { slug: 'theirs' });
    const jobId = await theirs.create();
    await publish();
    expect(verdict(await get(`/evidence/jobs/${jobId}`))).toBe('404 SVC_JOB_NOT_FOUND');
    const file = await textOf('/evidence/account', theirs.key);
    expect(file).toContain(theirs.accountId);
    expect(file).not.toContain(scene.accountId);
    expect(await findings(file)).toEqual(none);
  });

  it('is shown to each member of the account, and to no member of another', async () => {
    const jobId = await scene.create();
    await publish();
    const { browser } = await joined(service, scene.accountId, 'vic', 'viewer');
    const [checkpoint, size] = (await textOf('/evidence/log/checkpoint')).split('\n');
    expect(checkpoint).toContain('/evidence/');
    const status = await browser.get('/panel/evidence');
    expect(status.body.data).toMatchObject({
      ...{ checkpoint_at: service.clock.now(), events: Number(size), halted: false },
    });
    const job = await browser.get(`/evidence/jobs/${jobId}`);
    expect(await findings(job.text)).toEqual(none);
    const other = await JobScene.open(service, { slug: 'others' });
    const { browser: stranger } = await joined(service, other.accountId, 'zoe', 'owner');
    expect(verdict(await stranger.get(`/evidence/jobs/${jobId}`))).toBe('404 SVC_JOB_NOT_FOUND');
    await publish();
    expect((await stranger.get('/evidence/account')).text).not.toContain(scene.accountId);
  });

  it('leaves a trace of an operator who takes it', async () => {
    await textOf(`/operator/evidence/accounts/${scene.accountId}`, service.operatorToken);
    const day = service.clock.now().slice(0, 10);
    const noted = await service.stores.events.load(`access-${scene.accountId}-${day}`);
    const read = noted.filter(({ type }) => type === 'OperatorReadStream');
    expect(read.map(({ data }) => data)).toContainEqual({ stream: `account-${scene.accountId}` });
  });

  it('refuses sizes and periods that are none', async () => {
    for (const query of ['since=0', 'since=x', 'since=1,', 'from=yesterday', 'since=999999'])
      expect([query, verdict(await get(`/evidence/account?${query}`))]).toEqual([
        query,
        '400 SVC_VALIDATION_FAILED',
      ]);
    const empty = await textOf(`/evidence/account?from=${service.fromNow(-1e9)}&to=${service.fromNow(-1e8)}`);
    expect(await findings(empty)).toEqual(none);
  });

  it('gives a head on HEAD without a file', async () => {
    const answered = await service.call('HEAD', '/evidence/account', { as: scene.key });
    expect([answered.status, answered.text]).toEqual([200, '']);
  });

  it('serves the tiles that the checkpoint covers', async () => {
    const size = Number((await textOf('/evidence/log/checkpoint')).split('\n')[1]);
    const whole = Math.floor(size / 256);
    const last = `${String(whole).padStart(3, '0')}.p/${size % 256}`;
    expect((await get(`/evidence/log/tile/0/${last}`)).status).toBe(200);
    for (const path of [`0/${last}9`, '0/x', '9/000', '0/000/000', '0/'])
      expect([path, (await get(`/evidence/log/tile/${path}`)).status]).toEqual([path, 404]);
    expect((await service.call('POST', `/evidence/log/tile/0/${last}`, { as: scene.key })).status).toBe(405);
  });

  it('is not available while the hashes are built again', async () => {
    const before = await textOf('/evidence/log/checkpoint');
    await service.stores.hashes.clear();
    expect(verdict(await get('/evidence/account'))).toBe('503 SVC_UNAVAILABLE');
    await publish();
    const size = before.split('\n')[1]!;
    expect(await findings(await textOf(`/evidence/account?since=${size}`), before)).toEqual(none);
  });

  it('writes one file at a time for an account, and refuses a fifth request that would wait', async () => {
    const { texts } = service.stores;
    const read = texts.at.bind(texts);
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const isReading = new Promise<void>((reading) => {
      texts.at = async (positions) => {
        reading();
        await gate;
        return read(positions);
      };
    });
    const held = get('/evidence/account');
    await isReading;
    const others = Array.from({ length: 5 }, () => get('/evidence/account'));
    expect(verdict(await Promise.race(others))).toBe('429 RATE_LIMIT_EXCEEDED');
    texts.at = read;
    const operated = await get(`/operator/evidence/accounts/${scene.accountId}`, service.operatorToken);
    expect(operated.status).toBe(200);
    go();
    const statuses = (await Promise.all([held, ...others])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('names an event that changed in the store', async () => {
    const jobId = (await scene.at('completed')).job_id;
    await publish();
    const { texts } = service.stores;
    const read = texts.at.bind(texts);
    texts.at = async (positions) => {
      const events = await read(positions);
      return events.map((event) =>
        event?.stream === `job-${jobId}` && event.type === 'JobQueued'
          ? { ...event, type: 'JobQueueD' }
          : event,
      );
    };
    for (const path of [`/evidence/jobs/${jobId}`, '/evidence/account'])
      for (const found of await findings(await textOf(path)))
        expect(found.join('\n')).toContain(`stream job-${jobId} revision 1`);
    texts.at = read;
  });

  it('refuses a proof with a damaged event, and names the event', async () => {
    const name = `job-${(await scene.at('completed')).job_id}`;
    await publish();
    const { texts } = service.stores;
    const [at, stream] = [texts.at.bind(texts), texts.stream.bind(texts)];
    const damaged = new CorruptEventError(name, 1, '');
    texts.at = async (positions) => {
      const events = await at(positions);
      if (events.some((event) => event?.stream === name)) throw damaged;
      return events;
    };
    texts.stream = (...asked) => (asked[0] === name ? Promise.reject(damaged) : stream(...asked));
    const asked = [
      await get(`/evidence/jobs/${name.slice('job-'.length)}`),
      await get('/evidence/account'),
      await get(`/operator/evidence/accounts/${scene.accountId}`, service.operatorToken),
      await get(`/operator/evidence/streams/${name}`, service.operatorToken),
    ];
    for (const answered of asked) {
      expect(verdict(answered)).toBe('409 EVENT_DAMAGED');
      expect(answered.text).toContain(`Event 1 of the stream ${name} is damaged.`);
    }
    const head = await service.call('HEAD', '/evidence/account', { as: scene.key });
    expect(head.status).toBe(200);
    Object.assign(texts, { at, stream });
  });

  it('reads ahead for ten seconds at most, and breaks off at damage that it meets later', async () => {
    const { texts } = service.stores;
    const at = texts.at.bind(texts);
    await longHistory();
    let time = 10_000;
    texts.at = async (positions) => {
      const events = await at(positions);
      service.clock.advance(time);
      time = 0;
      if (events.some((event) => event?.type === 'NoteWritten' && event.revision === 299))
        throw new CorruptEventError('note-1', 299, '');
      return events;
    };
    const logged: string[] = [];
    const logger = { error: (message: string) => void logged.push(message) };
    Object.assign(service.service.app.get(EvidenceAnswers, { strict: false }), { logger });
    await expect(get('/evidence/account')).rejects.toThrow();
    expect(logged.join()).toContain('event 299 of stream note-1');
    time = 600_000;
    expect(verdict(await get('/evidence/account'))).toBe('503 SVC_UNAVAILABLE');
    texts.at = at;
    expect(await findings(await textOf('/evidence/account'))).toEqual(none);
  });
});

/** Of the account, more than is read at once. */
async function longHistory(): Promise<void> {
  const events = Array.from({ length: 300 }, () => ({
    ...{ id: v7(), type: 'NoteWritten', data: { accountId: scene.accountId }, metadata },
  }));
  await service.stores.events.append({ stream: 'note-1', expected: 'no_stream', events });
  await publish();
}
