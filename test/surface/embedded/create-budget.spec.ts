import { projectionsFor } from '../../../src/app/projections.js';
import type { ViewDefinition } from '../../../src/kernel/projection.js';
import type { Stores } from '../../../src/event-sourcing/ports/stores.js';
import { serviceForAll } from '../../kit/service.js';
import { openTestStores } from '../../kit/stores.js';
import { createJob, openAccount, TestAgent } from '../../kit/world.js';

/** What the service asks of its stores, call by call; without the reading of the log by webhooks, which no request waits for. */
const asked: string[] = [];

function noting(stores: Stores): Stores {
  const { views, events, contents } = stores;
  const note = <T extends object>(port: T, method: keyof T & string, name: (...given: never[]) => string) => {
    const original = port[method] as (...given: unknown[]) => unknown;
    const noted = (...given: never[]) => {
      asked.push(name(...given));
      return original.apply(port, given);
    };
    Object.assign(port, { [method]: noted });
  };
  for (const method of ['get', 'getMany', 'find', 'count'] as const)
    note(views, method, (view: ViewDefinition) => `${method} ${view.name}`);
  for (const method of ['load', 'append', 'appendInOrder'] as const) note(events, method, () => method);
  note(contents, 'putThen', () => 'document');
  return stores;
}

/**
 * What one more create asks of the stores. Exact, so that a change that asks more has to say so here; a change that asks
 * less lowers the list.
 */
describe('the budget of a create', () => {
  const service = serviceForAll({
    stores: (config, clock) => noting(openTestStores({ projections: projectionsFor(config), clock })),
  });

  it('reads the account once, and appends once with the document', async () => {
    const { accountId, key } = await openAccount(service);
    const { printerId } = await TestAgent.ready(service, accountId);
    await createJob(service, key, printerId);
    asked.length = 0;
    await createJob(service, key, printerId);
    expect(asked).toEqual(['get accounts', 'document', 'appendInOrder']);
  });
});
