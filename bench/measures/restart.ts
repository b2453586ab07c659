import { atMost, type Measure } from '../measure.js';
import { LoadGenerator } from '../load/load.js';
import { ServiceProcess } from '../programs/service.js';
import { memoryOf } from '../programs/usage.js';
import { firstPage, readerOf } from '../many-jobs.js';
import { rounds } from '../statistics.js';
import { creates } from '../world.js';
import { CONNECTIONS } from './service-load.js';

const WORK_SECONDS = 3;

export const restart: Measure = {
  name: 'restart',
  about: 'start with 1,000,000 jobs in the store, after kill -9 in the middle of creates',

  async run(bench) {
    const dataDir = await bench.manyJobsFolder();
    const generator = new LoadGenerator();
    let rssMb = 0;
    const seconds = await rounds(bench.rounds, async () => {
      const before = await ServiceProcess.start(dataDir);
      const customer = await readerOf(before);
      const requests = creates(customer);
      const spec = { url: before.url, connections: CONNECTIONS, requests, seconds: 2 * WORK_SECONDS };
      const load = generator.run(spec, 201).catch(() => undefined); // The kill breaks its connections.
      await new Promise((resolve) => setTimeout(resolve, WORK_SECONDS * 1000));
      await before.kill();
      await load;
      const after = await ServiceProcess.start(dataDir);
      await firstPage(after, customer.key);
      rssMb = memoryOf(after.pid).now;
      await after.stop();
      return after.readyMs / 1000;
    }).finally(() => generator.stop());
    return [
      { name: 'ready after kill -9, 1,000,000 jobs', unit: 's', rounds: seconds, target: atMost(2), rssMb },
    ];
  },
};
