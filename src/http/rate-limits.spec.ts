import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import type { Answered } from '../../test/kit/http/client.js';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { MemoryRateCounters } from '../app/system/memory-rate-counters.js';
import { RateLimits } from './admission/rate-limits.js';

const rate = ({ status, headers }: Answered) => ({
  status,
  limit: headers.get('ratelimit-limit'),
  remaining: headers.get('ratelimit-remaining'),
  reset: headers.get('ratelimit-reset'),
  retryAfter: headers.get('retry-after'),
});

const ID = '019a8f3e-5b7c-7d21-9c44-0a1b2c3d4e5f';
const deactivate = `/v1/accounts/${ID}/deactivate`;

describe('limiting the rate of requests', () => {
  let demo: Demo;
  beforeEach(async () => void (demo = await startDemo()));
  afterEach(() => demo.close());

  const times = async (count: number, act: () => Promise<Answered>) => {
    let last = await act();
    for (let i = 1; i < count; i += 1) last = await act();
    return last;
  };

  it('sends the remaining requests with every answer of a limited operation, also an error', async () => {
    const list = (query = '') => demo.call('GET', `/v1/demo-things${query}`, { as: 'full' });
    expect(rate(await list())).toEqual({
      status: 200,
      limit: '120',
      remaining: '119',
      reset: '60',
      retryAfter: null,
    });
    expect(rate(await list('?limit=x'))).toMatchObject({ status: 400, remaining: '118' });
    expect(rate(await demo.call('GET', `/v1/demo-things/${ID}`, { as: 'full' }))).toMatchObject({
      limit: null,
    });
  });

  it('answers 429 with Retry-After beyond the limit', async () => {
    const call = () => demo.call('POST', deactivate, { as: 'partner' });
    expect(rate(await times(30, call))).toMatchObject({ status: 200, remaining: '0' });
    demo.clock.advance(20_000);
    const refused = await call();
    expect(rate(refused)).toEqual({
      status: 429,
      limit: '30',
      remaining: '0',
      reset: '40',
      retryAfter: '40',
    });
    expect(refused.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryable: true });
  });

  it('keeps its windows when the clock is set', async () => {
    const call = () => demo.call('POST', deactivate, { as: 'partner' });
    await times(30, call);
    demo.clock.set('2020-01-01T00:00:00.000Z');
    expect(rate(await call())).toMatchObject({ status: 429, reset: '60' });
    demo.clock.set('2040-01-01T00:00:00.000Z');
    expect(rate(await call())).toMatchObject({ status: 429, reset: '60' });
    demo.clock.advance(60_000);
    expect(rate(await call())).toMatchObject({ status: 200, remaining: '29' });
  });

  it('starts a window of one minute at the first request', async () => {
    const call = () => demo.call('POST', deactivate, { as: 'partner' });
    await call();
    demo.clock.advance(59_000);
    expect(rate(await times(30, call))).toMatchObject({ status: 429, reset: '1' });
    demo.clock.advance(1_000);
    expect(rate(await call())).toMatchObject({ status: 200, remaining: '29', reset: '60' });
  });

  it('never promises a longer wait than a minute', async () => {
    // The end of a window that begins then is rounded up.
    demo.clock.advance(5_536.1);
    const call = () => demo.call('POST', deactivate, { as: 'partner' });
    expect(rate(await call())).toMatchObject({ reset: '60' });
  });

  it('counts credentials and operations separately', async () => {
    await times(31, () => demo.call('POST', deactivate, { as: 'partner' }));
    expect(await demo.call('POST', deactivate, { as: 'device' })).toMatchObject({ status: 403 });
    expect(rate(await demo.call('GET', '/v1/demo-things', { as: 'reader' }))).toMatchObject({
      remaining: '119',
    });
    expect(rate(await demo.call('GET', '/v1/demo-things', { as: 'full' }))).toMatchObject({
      remaining: '119',
    });
  });

  it('limits all operations of a credential together where the surface says so', async () => {
    const beat = () => demo.call('POST', '/v1/agent/heartbeat', { as: 'device', json: {} });
    expect(rate(await beat())).toMatchObject({ status: 200, limit: '600', remaining: '599' });
    expect(rate(await times(600, beat))).toMatchObject({ status: 429, limit: '600' });
  });

  it('counts an operation without a credential by a value of its request', async () => {
    const enroll = (reason: string) => demo.call('POST', '/v1/managed/enroll', { json: { reason } });
    expect(rate(await times(2, () => enroll('a')))).toMatchObject({
      status: 200,
      limit: '2',
      remaining: '0',
    });
    expect(await enroll('a')).toMatchObject({ status: 429 });
    expect(await enroll('b')).toMatchObject({ status: 200 });
  });

  it('counts failed authentications by address, over all operations', async () => {
    const guess = () => demo.call('GET', '/v1/demo-things', { as: 'guess' });
    expect(rate(await times(59, guess))).toMatchObject({ status: 401, limit: '60', remaining: '1' });
    expect(await demo.call('POST', '/v1/managed/enroll', { json: { reason: 'wrong' } })).toMatchObject({
      status: 401,
    });
    const beyond = await guess();
    expect(rate(beyond)).toMatchObject({ status: 429, retryAfter: '60' });
    expect(beyond.headers.get('connection')).toBe('close');
    expect(await demo.call('GET', '/v1/demo-things', { as: 'full' })).toMatchObject({ status: 200 });
    demo.clock.advance(60_000);
    expect(await guess()).toMatchObject({ status: 401 });
  });
});

describe('taking back requests', () => {
  const request = { limiter: 'listChanges', perMinute: 20, key: 'key-1' };
  let limits: RateLimits;
  beforeEach(() => void (limits = new RateLimits(new MemoryRateCounters(new ManualClock()), {})));

  it('gives a request back however many were refused meanwhile', async () => {
    for (let n = 0; n < 40; n++) await limits.count(request);
    expect(await limits.uncount(request)).toMatchObject({ remaining: 1 });
    expect(await limits.count(request)).toMatchObject({ remaining: 0, exceeded: false });
    expect(await limits.count(request)).toMatchObject({ remaining: 0, exceeded: true });
  });
});

describe('switching off limits', () => {
  it('does not count a 304', async () => {
    const demo = await startDemo();
    const poll = (how: string) =>
      demo.call('POST', '/v1/agent/polls', { as: 'device', json: { reason: how } });
    expect(rate(await poll('changed'))).toMatchObject({ status: 200, remaining: '599' });
    expect(rate(await poll('same'))).toMatchObject({ status: 304, remaining: '599' });
    expect(rate(await poll('changed'))).toMatchObject({ status: 200, remaining: '598' });
    await demo.close();
  });

  it('multiplies all limits by the factor, and 0 switches them off', async () => {
    const double = await startDemo({ rateLimitFactor: 2 });
    expect(rate(await double.call('POST', deactivate, { as: 'partner' }))).toMatchObject({ limit: '60' });
    await double.close();
    const off = await startDemo({ rateLimitFactor: 0 });
    expect(rate(await off.call('POST', deactivate, { as: 'partner' }))).toMatchObject({
      status: 200,
      limit: null,
    });
    await off.close();
  });
});
