import { atLeast, atMost, type Bench, type Figure, type Measure } from '../measure.js';
import type { CatchUpParameters, CatchUpReport } from '../servers/catch-up.program.js';
import { startServers, type Servers } from '../servers/servers.js';
import type { VisibleParameters, VisibleReport } from '../servers/visible.program.js';
import { runProgram } from '../programs/program.js';
import { median } from '../statistics.js';
import { creates, openCustomer } from '../world.js';
import { figuresOf, loadRounds } from './service-load.js';
import { withService } from './with-service.js';

const WRITERS = 8;

async function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  const servers = await startServers();
  try {
    return await work(servers);
  } finally {
    await servers.stop();
  }
}

const createsOnServers: Measure = {
  name: 'server-creates',
  about: 'the creates of the embedded bench over EventStoreDB and MongoDB, one instance, 64 connections',

  run: (bench) =>
    withServers(({ env, kind }) =>
      withService(
        bench.folder('server-creates'),
        async (service, generator) => {
          const requests = creates(await openCustomer(service));
          const loaded = await loadRounds(bench, generator, { service, requests, expected: 201 });
          return figuresOf(`creates over HTTP, ${kind}`, loaded, { rate: 1000 });
        },
        { env },
      ),
    ),
};

const catchUp: Measure = {
  name: 'server-catch-up',
  about: 'all read models built from the events of jobs by one worker, starting from none',

  run: (bench) =>
    withServers(async ({ eventStoreUrl, mongoUrl, kind }) => {
      const given = { eventStoreUrl, mongoUrl, jobs: bench.seconds * 1_000, rounds: bench.rounds };
      const report = await runProgram<CatchUpParameters, CatchUpReport>('servers/catch-up.program.js', given);
      const { events, perSecond, costs, rssMb } = report;
      const total = median(costs.map((cost) => cost.total));
      const cost = { total, main: total, writer: 0 };
      const name = `projections in catch-up, ${kind}`;
      const note = `${events} events`;
      return [{ name, unit: '/s', rounds: perSecond, target: atLeast(15_000), cost, rssMb, note }];
    }),
};

const visible: Measure = {
  name: 'server-visible',
  about: `from the answer of an append until another instance reads it, ${WRITERS} writers`,

  run: (bench: Bench) =>
    withServers(async ({ eventStoreUrl, mongoUrl, kind }): Promise<readonly Figure[]> => {
      const given = { eventStoreUrl, mongoUrl, writers: WRITERS, appends: bench.seconds * 400 };
      const { p50, p99 } = await runProgram<VisibleParameters, VisibleReport>('servers/visible.program.js', {
        ...given,
        rounds: bench.rounds,
      });
      const note = `p50 ${median(p50).toFixed(1)} ms`;
      const name = `append to visible elsewhere, p99, ${kind}`;
      return [{ name, unit: 'ms', rounds: p99, target: atMost(50), note }];
    }),
};

/** Measures of `--stores servers`. */
export const serverMeasures: readonly Measure[] = [createsOnServers, catchUp, visible];
