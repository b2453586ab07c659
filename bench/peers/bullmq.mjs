import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { payload, STEPS } from './story.mjs';

const QUEUE = 'print';

/** With `createsOnly` no worker takes the jobs. */
export async function open({ url, history, inFlight, createsOnly }) {
  const connect = () => new Redis(url, { maxRetriesPerRequest: null });
  const client = connect();
  const queue = new Queue(QUEUE, { connection: connect() });
  const ended = new Map();
  const work = async (job) => {
    for (const step of STEPS) {
      if (!history || step === 'completed') continue;
      await job.updateProgress({ step });
      await job.log(`${new Date().toISOString()} ${step} by ${job.data.computerId}`);
    }
  };
  const worker = createsOnly
    ? undefined
    : new Worker(QUEUE, work, { connection: connect(), concurrency: inFlight });
  worker?.on('completed', (job) => ended.get(job.data.jobId)?.resolve());
  worker?.on('failed', (job, error) => ended.get(job?.data.jobId)?.reject(error));
  const create = async (n) => {
    const data = payload(n);
    await queue.add(QUEUE, data, { jobId: data.jobId });
    return data.jobId;
  };
  const live = async (n) => {
    const data = payload(n);
    const done = new Promise((resolve, reject) => ended.set(data.jobId, { resolve, reject }));
    await queue.add(QUEUE, data, { jobId: data.jobId });
    await done;
    ended.delete(data.jobId);
  };
  await worker?.waitUntilReady();
  return {
    create,
    lives: { size: 1, lanes: inFlight, run: live },
    async bytes() {
      return Number(/aof_current_size:(\d+)/.exec(await client.info('persistence'))?.[1] ?? 0);
    },
    async close() {
      await worker?.close();
      await queue.close();
      client.disconnect();
    },
  };
}
