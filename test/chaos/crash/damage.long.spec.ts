import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogReader } from '../../../src/event-sourcing/embedded/log/log-reader.js';
import { flipIn, overwritePageOf } from '../../kit/damage.js';
import type { Answered } from '../../kit/http/client.js';
import type { Leased } from '../../kit/world.js';
import { diagnosis } from '../../doctor/diagnosis.js';
import { creates, jobOf, LARGE, SMALL } from './kit/steps.js';
import { ServiceGone } from './kit/service-process.js';
import { worldOnSeed } from './kit/seeded.js';

const HASHED = 'documents: hashes';

describe('starting on a data folder with flipped bits', () => {
  const the = worldOnSeed({ start: true });

  const database = () => join(the.world.dataDir, 'rps.db');
  const doctor = () => diagnosis({ DATA_DIR: the.world.dataDir });
  const ready = async () => {
    const answered = await fetch(the.world.service.url.replace('/v1', '/health/ready'));
    return { status: answered.status, body: (await answered.json()) as Record<string, unknown> };
  };
  const lease = async () => {
    const json = { session_id: the.world.seed.sessionId, wait_seconds: 0, max: 4 };
    const answered = await the.world.asAgent('POST', '/leases', json);
    return ((answered.body.data?.leases ?? []) as Leased[]).map(({ job_id }) => job_id);
  };
  const fetched = (jobId: string) =>
    the.world.call('GET', `/agent/jobs/${jobId}/content`, { as: the.world.seed.credential });
  const restartAfter = async (damage: () => void) => {
    await the.world.service.stop();
    damage();
    await the.world.start();
  };
  /** The stored text of the data of a job's first event. */
  const storedDataOf = (jobId: string) => {
    const db = new Database(database(), { readonly: true });
    const [event] = new LogReader(db).load(`job-${jobId}`, 0, 1);
    db.close();
    return event!.data;
  };

  it('skips the job of a damaged event, reports not ready and names the event', async () => {
    await creates('damaged').run(the.world);
    await creates('whole').run(the.world);
    const damaged = jobOf(the.world, 'damaged');
    await restartAfter(() => flipIn(database(), storedDataOf(damaged), 803));
    expect((await ready()).status).toBe(200);

    expect(await lease()).toEqual([jobOf(the.world, 'whole')]);
    const named = new RegExp(`event 0 of stream job-${damaged} at 0{10}\\d{10} cannot be read`);
    expect(the.world.service.log).toMatch(named);
    expect(await ready()).toMatchObject({ status: 503 });
    const { code, of } = await doctor();
    const [verdict, found] = of('database: checksums of events');
    expect([code, verdict]).toEqual([1, 'fail']);
    expect(found).toMatch(named);
  });

  it.each([
    ['row', SMALL],
    ['file', LARGE],
  ])('fails the job of a damaged %s permanently and prints nothing of it', async (kind, document) => {
    await creates('damaged', document).run(the.world);
    const damaged = jobOf(the.world, 'damaged');
    const file = kind === 'row' ? database() : join(the.world.dataDir, 'content', damaged.slice(-2), damaged);
    await restartAfter(() => flipIn(file, document, 5));
    expect((await doctor()).of(HASHED)).toEqual(['fail', expect.stringContaining(`job ${damaged}`)]);

    expect(await lease()).toEqual([damaged]);
    const { status, body } = await fetched(damaged);
    expect([status, body.code]).toEqual([404, 'CONTENT_DAMAGED']);
    const { body: job } = await the.world.asClient('GET', `/svc-api-print-jobs/${damaged}`);
    expect(job.data).toMatchObject({ status: 'failed', failure_code: 'CONTENT_DAMAGED', attempt_count: 1 });
    expect(await lease()).toEqual([]);
    expect(the.world.service.log).toContain(`the document of job ${damaged} is damaged`);
  });

  it('exits with 70 at the start if a page of events is corrupt', async () => {
    await creates('damaged').run(the.world);
    const data = storedDataOf(jobOf(the.world, 'damaged'));
    await expect(restartAfter(() => overwritePageOf(database(), data))).rejects.toMatchObject({
      ending: { code: 70 },
      message: expect.stringMatching(/is damaged .*SQLITE_CORRUPT/),
    });
    expect((await doctor()).of('database')[0]).toBe('fail');
  });

  it.each([
    ['a reader', 'GET', (jobId: string) => `/operator/streams/job-${jobId}`],
    ['the verification', 'POST', () => '/operator/views/verify'],
    ['the writer', 'POST', () => '/operator/views/job-view/rebuild'],
  ])('exits with 70 when %s of a running service reads a corrupt page', async (_reader, method, pathOf) => {
    await creates('damaged').run(the.world);
    for (let n = 0; n < 20; n++) await creates(`later ${n}`).run(the.world);
    const damaged = jobOf(the.world, 'damaged');
    const data = storedDataOf(damaged);
    // After the start, which would find it, and with the page in the database, not in its log.
    await restartAfter(() => undefined);
    overwritePageOf(database(), data);

    const answered = await the.world
      .call(method, pathOf(damaged), { as: the.world.service.operatorToken })
      .catch((error: unknown) => error);
    if (!(answered instanceof ServiceGone)) expect([500, 503]).toContain((answered as Answered).status);
    expect(await the.world.service.ended).toEqual({ code: 70, signal: null });
    expect(the.world.service.log).toMatch(/"level":60.*the database is damaged.*SQLITE_CORRUPT/);
    expect((await doctor()).of('database')[0]).toBe('fail');
  });

  it('exits with 70 when the log of a killed service is damaged, and keeps it', async () => {
    const names = [...Array(10).keys()].map((n) => `job ${n}`);
    for (const name of names) await creates(name).run(the.world);
    await the.world.service.kill();
    flipIn(`${database()}-wal`, jobOf(the.world, 'job 4'), 5);
    const log = readFileSync(`${database()}-wal`);

    const refused = {
      ending: { code: 70 },
      message: expect.stringMatching(/damaged before its last \d+ commit/),
    };
    await expect(the.world.start()).rejects.toMatchObject(refused);
    expect(readFileSync(`${database()}-wal`)).toEqual(log);
    expect((await doctor()).of('database: write-ahead log')[0]).toBe('fail');
  });

  it('exits with 70 and one sentence when the file is not a database', async () => {
    await the.world.service.stop();
    writeFileSync(database(), Buffer.alloc(65_536, 0x5a));

    await expect(the.world.start()).rejects.toMatchObject({
      ending: { code: 70 },
      message: expect.stringMatching(/the database .*is damaged.*SQLITE_NOTADB/),
    });
    await expect(the.world.start()).rejects.not.toThrow(/^ +at /m);
  });
});
