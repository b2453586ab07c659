import { atLeast, atMost, type Figure, type Measure } from '../measure.js';
import { runProgram } from '../programs/program.js';
import { ServiceProcess } from '../programs/service.js';
import { costOf, medianCost, memoryOf, usageOf, type Cost } from '../programs/usage.js';
import type { BacklogParameters, BacklogReport } from '../webhooks/backlog.program.js';
import { Sink } from '../webhooks/sink-process.js';
import { INSECURE, subscribe, WEBHOOKS_PER_ACCOUNT } from '../webhooks/subscribers.js';

/** Far above any expected duration. */
const TIMEOUT_MS = 120_000;

export const fillBacklog = (given: BacklogParameters) =>
  runProgram<BacklogParameters, BacklogReport>('webhooks/backlog.program.js', given);

export const webhookRate: Measure = {
  name: 'webhooks',
  about:
    'deliveries with their outcome on disk: a backlog of events sent to 20 webhooks, sink in its own process',

  async run(bench) {
    const dataDir = bench.folder('webhooks');
    const sink = await Sink.start();
    const first = await ServiceProcess.start(dataDir, { env: INSECURE });
    const { customer } = await subscribe(first, sink, WEBHOOKS_PER_ACCOUNT);
    await first.stop();
    const jobs = (bench.seconds * 3_000) / WEBHOOKS_PER_ACCOUNT;
    const count = jobs * WEBHOOKS_PER_ACCOUNT;
    const rates: number[] = [];
    const costs: Cost[] = [];
    let rssMb = 0;
    try {
      for (let round = 0; round < bench.rounds; round++) {
        await fillBacklog({ dataDir, cast: customer, jobs });
        await sink.forget();
        const service = await ServiceProcess.start(dataDir, { env: INSECURE });
        const before = usageOf(service.pid);
        const { ok } = await sink.until(count, TIMEOUT_MS);
        rates.push((count * 1000) / (ok!.last - ok!.first));
        costs.push(costOf(before, usageOf(service.pid), count));
        rssMb = memoryOf(service.pid).now;
        await service.stop();
      }
    } finally {
      sink.stop();
    }
    const cost = medianCost(costs);
    const name = 'webhook deliveries, outcome durable';
    return [{ name, unit: '/s', rounds: rates, target: atLeast(3_000), cost, rssMb }];
  },
};

const PENDING = 100_000;

export const webhookRestart: Measure = {
  name: 'webhook-restart',
  about: 'from the start of the process, with 100,000 deliveries pending, to the first one that comes',

  async run(bench) {
    const dataDir = bench.folder('webhook-restart');
    const sink = await Sink.start();
    const first = await ServiceProcess.start(dataDir, { env: INSECURE });
    const { customer, webhookIds } = await subscribe(first, sink, WEBHOOKS_PER_ACCOUNT);
    await first.stop();
    const jobs = PENDING / WEBHOOKS_PER_ACCOUNT;
    await fillBacklog({ dataDir, cast: customer, jobs, pendingFor: webhookIds });
    try {
      await sink.forget();
      const began = Date.now();
      const service = await ServiceProcess.start(dataDir, { env: INSECURE });
      const { ok } = await sink.until(1, TIMEOUT_MS);
      const seconds = (ok!.first - began) / 1000;
      const rssMb = memoryOf(service.pid).now;
      const done = await sink.until(PENDING, TIMEOUT_MS);
      const { peak } = memoryOf(service.pid);
      await service.stop();
      const rate = (PENDING * 1000) / (done.ok!.last - done.ok!.first);
      const figures: Figure[] = [
        { name: 'first delivery, 100,000 pending', unit: 's', rounds: [seconds], target: atMost(3) },
        {
          name: 'memory at that first delivery',
          unit: 'MB',
          rounds: [rssMb],
          target: atMost(300),
          note: `peak while all go ${Math.round(peak)} MB, at ${Math.round(rate)} deliveries/s`,
        },
      ];
      return figures;
    } finally {
      sink.stop();
    }
  },
};
