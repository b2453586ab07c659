import { until } from '../../../../kit/polling.js';
import type { During, Fault } from './faults.js';
import type { WatchedService } from './watched-service.js';

/** Leases last ten seconds; allows for a busy machine. */
const TAKEN_OVER_MS = 25_000;
const MANY = 1_000_000;

/** The running worker that is the projector. */
function keeper({ workers }: Pick<During, 'workers'>, but?: WatchedService): Promise<WatchedService> {
  const asked = workers.filter((worker) => worker !== but && worker.runs);
  return until('a projector', TAKEN_OVER_MS, async () => {
    for (const worker of asked) if (await worker.leads('views')) return worker;
    return undefined;
  });
}

export const workerHeldUp: Fault = {
  name: 'is paused, then continues beside its successor',
  async happens(during) {
    const { load } = during;
    const first = await keeper(during);
    first.freeze();
    const second = await keeper(during, first);
    await load.goesOn(2);
    first.thaw();
    await load.goesOn(4);
    await load.until(async () => !(await first.leads('views')) && (await second.leads('views')));
  },
};

export const workerKilled: Fault = {
  name: 'is killed between documents and checkpoint',
  async happens(during) {
    const { servers, load } = during;
    const first = await keeper(during);
    const { refused } = await servers.mongo.counters();
    // During a shutdown, progress cannot be written but earlier documents can.
    const { code, codeName } = { code: 91, codeName: 'ShutdownInProgress' };
    const failing = { code, codeName, message: 'shutting down', times: MANY };
    await servers.mongo.faults.fail({ ...failing, commands: ['update'], collection: 'read_state' });
    await load.until(async () => (await servers.mongo.counters()).refused > refused);
    await first.kill();
    await servers.mongo.faults.clear();
    await keeper(during, first);
    await first.start();
  },
};

export const workerFaults: readonly Fault[] = [workerHeldUp, workerKilled];
