import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../service/protocol.js';
import { Outbox } from '../state/outbox.js';
import { Health } from './health.js';

const report = (more: Partial<Report> = {}): Report => ({
  event_id: 'e1',
  job_id: 'j1',
  lease_id: 'l1',
  fence: 1,
  type: 'spooled',
  occurred_at: new Date(Date.now() - 200_000).toISOString(),
  ...more,
});

describe('the health that a heartbeat tells', () => {
  let folder: string;
  let outbox: Outbox;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'health-'));
    outbox = await Outbox.open(join(folder, 'outbox.ndjson'));
  });
  afterEach(async () => {
    await outbox.close();
    await rm(folder, { recursive: true });
  });

  it('counts the unsent reports and tells the age of the oldest', async () => {
    const health = new Health(folder, outbox);
    expect(await health.now()).toMatchObject({ unsent_reports: 0, oldest_report_seconds: 0 });
    await outbox.put(report());
    await outbox.put(report({ event_id: 'e2', occurred_at: new Date().toISOString() }));

    expect(await health.now()).toMatchObject({
      unsent_reports: 2,
      oldest_report_seconds: expect.closeTo(200, -1),
    });
  });

  it('keeps the last error after it was reported, but no success', async () => {
    const health = new Health(folder, outbox);
    const at = new Date().toISOString();
    const failure = { failure_code: 'SPOOLER_REFUSED', message: 'no paper '.repeat(100), occurred_at: at };
    await outbox.put(report({ type: 'not_submitted', ...failure }));
    await outbox.put(report({ event_id: 'e2' }));
    await outbox.acknowledge(['e1', 'e2']);

    const { last_error } = await health.now();
    expect(last_error).toMatchObject({ code: 'SPOOLER_REFUSED', at });
    expect(last_error!.message).toHaveLength(240);
  });

  it('calls less than 500 MB low', async () => {
    const withFree = (bytes: number) => new Health(folder, outbox, async () => bytes).now();

    expect(await withFree(499_999_999)).toMatchObject({ free_bytes: 499_999_999, low_space: true });
    expect(await withFree(500_000_000)).toMatchObject({ low_space: false });
  });

  it('reads the free space of the folder', async () => {
    const { free_bytes } = await new Health(folder, outbox).now();

    expect(free_bytes).toBeGreaterThan(0);
    expect(Number.isSafeInteger(free_bytes)).toBe(true);
  });
});
