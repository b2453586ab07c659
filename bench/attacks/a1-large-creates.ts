import { creates, newKey, openCustomer, withDocument, type Customer } from '../world.js';
import { askInLoops } from './ask.js';
import { ATTACKER, type Attack } from './attack.js';

const CONNECTIONS = 60;
const DOCUMENT_BYTES = 1_000_000;
/** 240 creates a minute are within the limits of these keys. */
const KEYS = 4;
const PAUSE_MS = 500;

export const largeCreates: Attack<{ readonly customer: Customer; readonly keys: readonly string[] }> = {
  name: 'A1c',
  about: `${CONNECTIONS} connections of one account create jobs with documents of 1 MB`,

  async prepare(service) {
    const customer = await openCustomer(service, 1);
    const keys: string[] = [];
    for (let n = 0; n < KEYS; n++) keys.push(await newKey(service, customer.accountId, ['jobs:create']));
    return { given: { customer, keys } };
  },

  async run(running, { customer, keys }) {
    const requests = keys.map((key) =>
      withDocument(creates({ ...customer, key })[0]!, 'raw', DOCUMENT_BYTES),
    );
    await askInLoops(running, CONNECTIONS, {
      expected: '201',
      pauseMs: PAUSE_MS,
      next: (n) => ({ ...requests[n % requests.length]!, from: ATTACKER }),
    });
  },
};
