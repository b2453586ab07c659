import { setTimeout as pause } from 'node:timers/promises';
import { atMost, type Figure, type Measure } from '../measure.js';
import type { RequestSpec } from '../load/load-spec.js';
import { forgetPeak, memoryOf } from '../programs/usage.js';
import { readerOf } from '../many-jobs.js';
import { creates, get, openCustomer } from '../world.js';
import { CONNECTIONS } from './service-load.js';
import { withService } from './with-service.js';

const LARGEST_BODY_BYTES = 16_777_216;
const BODIES = 20;
/** V8 frees memory of the start after a while of idling. */
const SETTLE_MS = 20_000;

/** A body of the maximum size, refused for its document size only after it was read completely. */
function largestBody(request: RequestSpec): RequestSpec {
  const body = Buffer.alloc(LARGEST_BODY_BYTES, 'A');
  const start = '{"content":{"type":"raw","encoding":"base64","data":"';
  const end = '"}}';
  body.write(start);
  body.write(end, LARGEST_BODY_BYTES - end.length);
  return { ...request, body };
}

const once = (name: string, mb: number, most: number, note: string): Figure => ({
  name,
  unit: 'MB',
  rounds: [mb],
  target: atMost(most),
  note,
});

export const memory: Measure = {
  name: 'memory',
  about: 'resident memory: idle, in use with 1,000,000 jobs, with twenty bodies of 16 MiB at once',

  async run(bench) {
    const fresh = await withService(bench.folder('memory'), async (service, generator) => {
      await pause(SETTLE_MS);
      const idle = memoryOf(service.pid).now;
      const [request] = creates(await openCustomer(service, 1));
      forgetPeak(service.pid);
      const requests = [largestBody(request!)];
      await generator.run({ url: service.url, connections: BODIES, requests, count: BODIES }, 413);
      return { idle, bodies: memoryOf(service.pid).peak };
    });
    const many = await withService(await bench.manyJobsFolder(), async (service, generator) => {
      const customer = await readerOf(service);
      const seconds = bench.seconds * bench.rounds;
      const lists = customer.printerIds.map((id) =>
        get(customer.key, `/svc-api-print-jobs?printer_id=${id}`),
      );
      const load = { url: service.url, connections: CONNECTIONS, seconds };
      const { count } = await generator.run({ ...load, requests: creates(customer) }, 201);
      await generator.run({ ...load, requests: lists }, 200);
      return { count, now: memoryOf(service.pid).now };
    });
    return [
      once('memory, idle', fresh.idle, 120, `${SETTLE_MS / 1000} s after the start`),
      once('memory, 1,000,000 jobs', many.now, 300, `after ${many.count} more creates and as long of lists`),
      once('memory, 20 bodies of 16 MiB', fresh.bodies, 700, 'the peak'),
    ];
  },
};
