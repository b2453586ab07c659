import type { Measure } from '../measure.js';
import { readerOf } from '../many-jobs.js';
import { creates, openCustomer } from '../world.js';
import { figuresOf, loadRounds } from './service-load.js';
import { withService } from './with-service.js';

export const createsMeasure: Measure = {
  name: 'creates',
  about: 'durable createPrintJob over HTTP, the whole stack, 300-byte document, 64 connections',

  run: (bench) =>
    withService(bench.folder('creates'), async (service, generator) => {
      const customer = await openCustomer(service);
      const loaded = await loadRounds(bench, generator, {
        service,
        requests: creates(customer),
        expected: 201,
      });
      return figuresOf('creates over HTTP', loaded, { rate: 3000, p99: 60 });
    }),
};

export const createsAmongMany: Measure = {
  name: 'creates-many',
  about: 'the same creates in the account that has 1,000,000 jobs already',

  run: async (bench) =>
    withService(await bench.manyJobsFolder(), async (service, generator) => {
      const customer = await readerOf(service);
      const loaded = await loadRounds(bench, generator, {
        service,
        requests: creates(customer),
        expected: 201,
      });
      return figuresOf('creates among 1,000,000 jobs', loaded);
    }),
};
