import { atMost, type Figure, type Measure } from '../measure.js';
import type { LoadGenerator } from '../load/load.js';
import type { RequestSpec } from '../load/load-spec.js';
import type { ServiceProcess } from '../programs/service.js';
import { memoryOf } from '../programs/usage.js';
import { rounds } from '../statistics.js';
import { creates, openCustomer, withDocument } from '../world.js';
import { withService } from './with-service.js';

const LARGEST_DOCUMENT_BYTES = 10_485_760;
const AT_ONCE = 4;

async function fourAtOnce(service: ServiceProcess, generator: LoadGenerator, requests: RequestSpec[]) {
  await service.probe();
  const { url } = service;
  const load = await generator.run({ url, connections: AT_ONCE, requests, count: AT_ONCE }, 201);
  return { load, loop: (await service.probe()).loopDelay };
}

export const largeDocuments: Measure = {
  name: 'pdf',
  about: 'how long the event loop is held while four PDFs of 10 MiB are created at once',

  run: (bench) =>
    withService(bench.folder('pdf'), async (service, generator) => {
      const customer = await openCustomer(service, AT_ONCE);
      const requests = creates(customer).map((one) => withDocument(one, 'pdf', LARGEST_DOCUMENT_BYTES));
      await fourAtOnce(service, generator, requests);
      const all = await rounds(bench.rounds, () => fourAtOnce(service, generator, requests));
      const name = 'event loop held by 4 × 10 MiB';
      const figures: Figure[] = [
        { name: `${name}, p99`, unit: 'ms', rounds: all.map(({ loop }) => loop.p99), target: atMost(20) },
        { name: `${name}, longest`, unit: 'ms', rounds: all.map(({ loop }) => loop.max) },
        {
          name: 'create of 10 MiB, the slowest of 4',
          unit: 'ms',
          rounds: all.map(({ load }) => load.max),
          rssMb: memoryOf(service.pid).now,
        },
      ];
      return figures;
    }),
};
