import { performance } from 'node:perf_hooks';
import { usageOfTree } from './server-usage.mjs';

/**
 * Whole lives of jobs in one queue. Parameters as JSON: peer, url, serverPid (of a server on this machine), history,
 * batch, jobs, inFlight. Reports jobs a second, CPU-seconds for 1,000 (program and server), bytes and KB written a job.
 */
const given = JSON.parse(process.argv[2]);
const { open } = await import(`./${given.peer}.mjs`);
// The bench has ended.
process.on('disconnect', () => process.exit());
const peer = await open(given);
const WARM_UP = 0.25;

async function liveAll(count) {
  const { size, lanes, run } = peer.lives;
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const first = next;
      next += size;
      await run(first, Math.min(size, count - first));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

const usage = async () => {
  const { user, system } = process.cpuUsage();
  const server = usageOfTree(given.serverPid);
  return { cpu: (user + system) / 1e6 + server.cpu, written: server.written, bytes: await peer.bytes() };
};

await liveAll(given.jobs * WARM_UP);
const before = await usage();
const start = performance.now();
await liveAll(given.jobs);
const seconds = (performance.now() - start) / 1000;
const after = await usage();
await peer.close();
const result = {
  perSecond: given.jobs / seconds,
  cpu: ((after.cpu - before.cpu) * 1000) / given.jobs,
  bytes: (after.bytes - before.bytes) / given.jobs,
  kbWritten: (after.written - before.written) / 1024 / given.jobs,
};
process.send(result, () => process.exit());
