import { randomBytes } from 'node:crypto';
import { sceneForEach } from '../kit/job-scene.js';
import { serviceForAll } from '../kit/service.js';
import { TestAgent } from '../kit/world.js';
import { DAY, HOUR, idOf, verdict } from './asking.js';

const document = randomBytes(100_000);
const content = { type: 'raw', encoding: 'base64', data: document.toString('base64') };

describe('fetching the content of a job', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);
  let jobId: string;
  let hash: string;
  beforeEach(async () => {
    const created = await scene.submit({ content });
    jobId = idOf(created);
    hash = String(created.body.data!.content_hash);
    await scene.agent.lease(1);
  });

  const fetchBytes = async (headers: Record<string, string> = {}, who = scene.agent) => {
    const response = await fetch(`${service.url}/agent/jobs/${jobId}/content`, {
      headers: { authorization: `Bearer ${who.credential}`, ...headers },
    });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it('returns the original bytes, with their hash as ETag', async () => {
    const { response, bytes } = await fetchBytes();
    expect(response.status).toBe(200);
    expect(bytes.equals(document)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${hash}"`,
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-length': '100000',
      'cache-control': 'no-store',
    });
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-99999', 0, 100_000],
    ['bytes=500-1499', 500, 1500],
    ['bytes=99999-', 99_999, 100_000],
    ['bytes=-10', 99_990, 100_000],
    ['bytes=99990-200000', 99_990, 100_000],
    ['bytes=-200000', 0, 100_000],
  ])('returns a range: %s', async (range, from, to) => {
    const { response, bytes } = await fetchBytes({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/100000`);
    expect(response.headers.get('etag')).toBe(`"${hash}"`);
    expect(bytes.equals(document.subarray(from, to))).toBe(true);
  });

  it.each(['bytes=100000-', 'bytes=-0'])('answers 416 outside the document: %s', async (range) => {
    const { response } = await fetchBytes({ range });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */100000');
  });

  it.each(['lines=1-2', 'bytes=5-1', 'bytes=0-1,5-6', 'bytes=x'])(
    'returns the whole document for an unsupported range: %s',
    async (range) => {
      const { response, bytes } = await fetchBytes({ range });
      expect([response.status, bytes.length]).toEqual([200, 100_000]);
    },
  );

  it('answers 304 for a matching ETag', async () => {
    const { response, bytes } = await fetchBytes({ 'if-none-match': `"${hash}"` });
    expect([response.status, bytes.length]).toEqual([304, 0]);
    expect(response.headers.get('etag')).toBe(`"${hash}"`);
  });

  it('continues a download only if the ETag still matches', async () => {
    const range = 'bytes=10-19';
    expect((await fetchBytes({ range, 'if-range': `"${hash}"` })).response.status).toBe(206);
    expect((await fetchBytes({ range, 'if-range': '"other"' })).response.status).toBe(200);
  });

  it("does not show another computer's job, not even of the same account", async () => {
    const { agent: other } = await TestAgent.ready(service, scene.accountId);
    const refused = await other.call('GET', `/jobs/${jobId}/content`);
    expect(verdict(refused)).toBe('404 JOB_NOT_FOUND');
    expect(verdict(await scene.agent.call('GET', '/jobs/nonsense/content'))).toBe('404 JOB_NOT_FOUND');
  });

  it('answers 404 24 hours after the job can no longer be printed', async () => {
    await scene.cancel(jobId);
    await service.advance(DAY - 1);
    expect((await fetchBytes()).response.status).toBe(200);
    await service.advance(1);
    expect(verdict(await scene.agent.call('GET', `/jobs/${jobId}/content`))).toBe('404 CONTENT_NOT_FOUND');
  });

  it('returns the content while a manual retry is possible', async () => {
    const waiting = await scene.create();
    const [lease] = await scene.agent.lease(1);
    expect(lease!.job_id).toBe(waiting);
    await scene.agent.accept(lease!);
    await scene.agent.handoff(lease!);
    await scene.agent.report(lease!, 'spooler_vanished');
    await service.advance(3 * DAY - HOUR);
    expect((await scene.job(waiting)).can_retry).toBe(true);
    expect((await scene.agent.call('GET', `/jobs/${waiting}/content`)).status).toBe(200);
    await service.advance(HOUR);
    await service.advance(DAY);
    expect(verdict(await scene.agent.call('GET', `/jobs/${waiting}/content`))).toBe('404 CONTENT_NOT_FOUND');
  });
});
