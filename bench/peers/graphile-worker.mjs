import pg from 'pg';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { History } from './history.mjs';
import { payload, STEPS } from './story.mjs';

const quiet = new Logger(() => () => undefined);

export async function open({ url, history, inFlight }) {
  const pool = new pg.Pool({ connectionString: url, max: inFlight + 8 });
  const utils = await makeWorkerUtils({ pgPool: pool, logger: quiet });
  await utils.migrate();
  const rows = history ? new History(pool) : undefined;
  await rows?.prepare();
  const ended = new Map();
  const print = async ({ jobId }) => {
    for (const step of STEPS) if (rows && step !== 'completed') await rows.add(jobId, step);
  };
  const runner = await run({
    pgPool: pool,
    logger: quiet,
    concurrency: inFlight,
    noHandleSignals: true,
    taskList: { print },
  });
  runner.events.on('job:complete', ({ job, error }) => ended.get(job.payload.jobId)?.(error));
  const create = async (n) => {
    const data = payload(n);
    await utils.addJob('print', data);
    await rows?.add(data.jobId, 'created', 'queued');
    return data.jobId;
  };
  const live = async (n) => {
    const data = payload(n);
    const done = new Promise((resolve, reject) =>
      ended.set(data.jobId, (error) => (error ? reject(error) : resolve())),
    );
    await utils.addJob('print', data);
    await rows?.add(data.jobId, 'created', 'queued');
    await done;
    ended.delete(data.jobId);
    await rows?.add(data.jobId, 'completed');
  };
  return {
    create,
    lives: { size: 1, lanes: inFlight, run: live },
    async bytes() {
      const { rows: found } = await pool.query('SELECT pg_database_size(current_database()) AS n');
      return Number(found[0].n);
    },
    async close() {
      await runner.stop();
      await utils.release();
      await pool.end();
    },
  };
}
