import { eventually } from '../kit/polling.js';
import { serviceForAll } from '../kit/service.js';
import { createJob, openAccount, TestAgent } from '../kit/world.js';
import { cancel, newJob } from './asking.js';
import { UnavailableError } from '../../src/kernel/errors.js';

/** Common scrape timeout: 5 s. */
const SCRAPE_MS = 5_000;

describe('health and metrics', () => {
  const service = serviceForAll();

  const get = async (path: string, token?: string) => {
    const headers = token ? { authorization: `Bearer ${token}` } : undefined;
    const response = await fetch(service.url.replace('/v1', path), { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  /** The samples of a metric, by labels. */
  const samples = (text: string, name: string) =>
    Object.fromEntries(
      text
        .split('\n')
        .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
        .map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
    );
  const metrics = async () => (await get('/metrics', service.operatorToken)).text;

  it('is alive and ready without a credential, outside /v1', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const { status, text } = await get(path);
      expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ status: 'ok' })]);
    }
  });

  it('counts jobs by status and the queue depth', async () => {
    const { accountId, key } = await openAccount(service);
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    for (let n = 0; n < 3; n++) await createJob(service, key, printerId);
    await agent.print();
    const text = await metrics();
    expect(samples(text, 'rps_jobs')).toMatchObject({
      '{status="queued"}': 2,
      '{status="spooler_completed"}': 1,
      '{status="failed"}': 0,
    });
    expect(samples(text, 'rps_job_queue_depth')).toEqual({ '': 2 });
  });

  it('counts jobs that were created and ended, and tells how long the oldest one waits', async () => {
    const before = await metrics();
    const { accountId, key } = await openAccount(service);
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    await createJob(service, key, printerId);
    await agent.print();
    await cancel(service, key, await newJob(service, key, printerId));
    service.clock.advance(90_000);

    const text = await metrics();
    const grown = (name: string, labels = '') =>
      samples(text, name)[labels]! - (samples(before, name)[labels] ?? 0);
    expect(grown('rps_jobs_created_total')).toBe(2);
    expect(grown('rps_jobs_ended_total', '{outcome="spooler_completed"}')).toBe(1);
    expect(grown('rps_jobs_ended_total', '{outcome="cancelled"}')).toBe(1);
    expect(grown('rps_jobs_ended_total', '{outcome="failed"}')).toBe(0);
    expect(samples(text, 'rps_oldest_queued_job_age_seconds')['']).toBeGreaterThanOrEqual(90);
  });

  it('counts computers and printers by status, and names its version', async () => {
    const before = await metrics();
    await TestAgent.ready(service, (await openAccount(service)).accountId);
    const text = await metrics();
    for (const name of ['rps_computers', 'rps_printers'])
      expect(samples(text, name)['{status="online"}']).toBe(samples(before, name)['{status="online"}']! + 1);
    const [info] = Object.keys(samples(text, 'rps_build_info'));
    expect(info).toMatch(/^\{version="[\d.]+",stores="(embedded|servers)",node="v\d/);
  });

  it('shows its metrics under their names up to 2.0 as well', async () => {
    const text = await metrics();
    expect(samples(text, 'jobs')).toEqual(samples(text, 'rps_jobs'));
    expect(samples(text, 'rps_process_cpu_seconds_total')).toEqual({});
    expect(text.match(/^# TYPE projection_lag_events gauge$/gm)).toHaveLength(1);
  });

  it('shows the position of each view', async () => {
    // On server stores positions and lag are those of the last second.
    const text = await eventually('a position', async () => {
      const text = await metrics();
      return samples(text, 'rps_projection_position')['{view="job-view"}'] ? text : undefined;
    });
    const lags = samples(text, 'rps_projection_lag_events');
    expect(lags).toMatchObject({ '{view="job-view"}': 0, '{view="timers"}': 0 });
  });

  describe('while a store cannot be read', () => {
    const never = () => new Promise<never>(() => undefined);
    const fails = () => Promise.reject(new UnavailableError('disk gone'));
    const collectors = (text: string) => samples(text, 'rps_scrape_collector_success');
    const views = () => service.stores.views;
    const maintenance = () => service.stores.maintenance;

    it.each([
      ['fails', fails],
      ['hangs', never],
    ])('shows all other metrics when a view query %s', async (_, instead) => {
      const { count } = views();
      views().count = instead;
      const began = performance.now();
      try {
        const { status, text } = await get('/metrics', service.operatorToken);
        expect(status).toBe(200);
        expect(performance.now() - began).toBeLessThan(SCRAPE_MS);
        for (const name of ['rps_jobs', 'rps_job_queue_depth', 'rps_webhook_deliveries_pending'])
          expect([name, samples(text, name)]).toEqual([name, {}]);
        expect(collectors(text)).toEqual({
          '{collector="projections"}': 1,
          '{collector="jobs"}': 0,
          '{collector="devices"}': 1,
          '{collector="evidence"}': 1,
          '{collector="webhook_deliveries"}': 0,
          '{collector="device_credentials"}': 1,
          '{collector="store_rollback"}': 1,
        });
        expect(samples(text, 'rps_projection_lag_events')).toMatchObject({ '{view="job-view"}': 0 });
        expect(samples(text, 'rps_agent_polls_waiting')).toEqual({ '': 0 });
        expect(text).toContain('process_cpu_seconds_total ');
      } finally {
        views().count = count;
      }
    });

    it('shows all other metrics when positions cannot be read', async () => {
      const { list } = maintenance();
      maintenance().list = fails;
      try {
        const { status, text } = await get('/metrics', service.operatorToken);
        expect([
          status,
          samples(text, 'rps_projection_lag_events'),
          samples(text, 'rps_projection_position'),
        ]).toEqual([200, {}, {}]);
        expect(collectors(text)).toMatchObject({ '{collector="projections"}': 0, '{collector="jobs"}': 1 });
        expect(Object.keys(samples(text, 'rps_jobs'))).toContain('{status="queued"}');
      } finally {
        maintenance().list = list;
      }
    });

    it('shows everything again after recovery', async () => {
      const text = await metrics();
      expect(Object.values(collectors(text))).toEqual([1, 1, 1, 1, 1, 1, 1]);
      expect(samples(text, 'rps_job_queue_depth')).toEqual({ '': 2 });
      expect(samples(text, 'rps_projection_position')['{view="job-view"}']).toBeGreaterThan(0);
    });
  });

  it('counts answers by operation and status', async () => {
    const counted = async () =>
      samples(await metrics(), 'rps_http_request_duration_seconds_count')[
        '{operation="getAccount",status="401"}'
      ] ?? 0;
    const before = await counted();
    await service.call('GET', '/svc-api-account');
    expect(await counted()).toBe(before + 1);
  });

  it('contains no tenant, credential or document', async () => {
    const { accountId, key } = await openAccount(service, { name: 'Secretive Ltd' });
    const { printerId } = await TestAgent.ready(service, accountId);
    await createJob(service, key, printerId, { title: 'Secret title' });
    const text = await metrics();
    for (const word of [accountId, key, printerId, 'Secret', service.operatorToken])
      expect(text).not.toContain(word);
  });
});
