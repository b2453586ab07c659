import fastify from 'fastify';
import { usageOfTree } from './server-usage.mjs';

/**
 * A service that stores a job in a queue: `POST /jobs` answers 201 once it is durable. Parameters as in lives.mjs. Sends
 * its address; answers each message with the CPU-seconds so far, of program and server.
 */
const given = JSON.parse(process.argv[2]);
const { open } = await import(`./${given.peer}.mjs`);
const peer = await open({ ...given, createsOnly: true });
const app = fastify();
let created = 0;
app.post('/jobs', async (_request, reply) => {
  const job_id = await peer.create(created++);
  reply.code(201);
  return { data: { job_id } };
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpu: (user + system) / 1e6 + usageOfTree(given.serverPid).cpu });
});
process.on('disconnect', () => process.exit());
process.send({ url });
