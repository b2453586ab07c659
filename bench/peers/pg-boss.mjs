import pg from 'pg';
import PgBoss from 'pg-boss';
import { History } from './history.mjs';
import { payload, STEPS } from './story.mjs';

const QUEUE = 'print';
const BATCH = 64;

/** With `batch`, as its manual recommends for throughput: insert, fetch and complete many at once. */
export async function open({ url, history, batch, inFlight }) {
  const boss = new PgBoss({ connectionString: url, max: 16, supervise: false, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE);
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  const rows = history ? new History(pool) : undefined;
  await rows?.prepare();
  const create = async (n) => {
    const data = payload(n);
    await boss.send(QUEUE, data);
    await rows?.add(data.jobId, 'created', 'queued');
    return data.jobId;
  };
  const live = async (n) => {
    await create(n);
    const [job] = await boss.fetch(QUEUE);
    for (const step of STEPS) if (rows && step !== 'completed') await rows.add(job.data.jobId, step);
    await boss.complete(QUEUE, job.id);
    await rows?.add(job.data.jobId, 'completed');
  };
  const liveMany = async (first, count) => {
    await boss.insert(Array.from({ length: count }, (_, n) => ({ name: QUEUE, data: payload(first + n) })));
    const jobs = await boss.fetch(QUEUE, { batchSize: count });
    await boss.complete(
      QUEUE,
      jobs.map(({ id }) => id),
    );
  };
  return {
    create,
    lives: batch
      ? { size: Math.min(BATCH, inFlight), lanes: 1, run: liveMany }
      : { size: 1, lanes: inFlight, run: live },
    async bytes() {
      const { rows: found } = await pool.query('SELECT pg_database_size(current_database()) AS n');
      return Number(found[0].n);
    },
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}
