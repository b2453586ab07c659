import { startServers, type Servers } from '../../kit/server-stores.js';
import { eventStoreFaults, readStoreFaults, type Fault } from './kit/faults.js';
import { Load } from './kit/load.js';
import { prove } from './kit/proof.js';
import { WatchedService } from './kit/watched-service.js';

const MINUTE = 60_000;

describe.each<readonly [string, readonly Fault[]]>([
  ['the event store', eventStoreFaults],
  ['the read store', readStoreFaults],
])('a service that goes on while %s', (_, faults) => {
  let servers: Servers;
  let service: WatchedService;

  beforeAll(async () => {
    servers = await startServers();
    service = await WatchedService.start(servers);
  }, MINUTE);
  afterAll(async () => {
    servers.events.thaw();
    servers.mongo.thaw();
    await service.process.remove();
    if (process.env.TOLD) process.stderr.write(service.process.logs);
    await servers.stop();
  });

  it.each(faults)(
    '$name',
    async ({ happens, name }) => {
      const load = await Load.begin(service);
      const began = performance.now();
      try {
        await load.goesOn(2);
        await happens({ servers, service, load });
        await load.goesOn(2);
        await load.finish();
      } finally {
        await load.stop();
      }
      const finished = performance.now();
      await service.isReady();
      await prove(service, load);
      if (process.env.TOLD) {
        const { answers, refusals, slowestMs } = service;
        const ms = [finished - began, performance.now() - finished].map(Math.round);
        process.stderr.write(
          `${name}: ${JSON.stringify({ ms, jobs: load.journal.size, answers, refusals, slowestMs })}\n`,
        );
      }
      service.forget();
    },
    MINUTE,
  );

  it('and ends as it is told, without having hit upon anything unforeseen', async () => {
    const { code, stderr } = await service.stop();
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/unhandled|uncaught|"level":60|TypeError/i);
  });
});
