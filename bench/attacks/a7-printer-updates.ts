import { setTimeout as pause } from 'node:timers/promises';
import { call, openCustomer, type Customer } from '../world.js';
import { ask, outcomeOf } from './ask.js';
import { ATTACKER, note, type Attack } from './attack.js';

const AT_ONCE = 100;
const PRINTERS = 10;
/** Each burst has a credential of its own, whose limit is 120 a minute. */
const BURSTS = 5;
const BETWEEN_BURSTS_MS = 2_000;

interface Given {
  readonly customer: Customer;
  readonly credentials: readonly string[];
}

export const printerUpdates: Attack<Given> = {
  name: 'A7',
  about: `bursts of ${AT_ONCE} parallel PATCHes of ${PRINTERS} printers of one computer`,

  async prepare(service) {
    const customer = await openCustomer(service, PRINTERS);
    const path = `/operator/partners/${customer.partnerId}/credentials`;
    const credentials: string[] = [];
    for (let n = 0; n < BURSTS; n++) {
      const body = { kind: 'live', scopes: ['printers:write'] };
      type Created = { credential: string };
      const { url, operatorToken } = service;
      credentials.push((await call<Created>(url, operatorToken, 'POST', path, body)).credential);
    }
    return {
      given: { customer, credentials },
      async after(counts) {
        const others = Object.keys(counts).filter((outcome) => outcome !== '200');
        const refused = others.reduce((sum, outcome) => sum + counts[outcome]!, 0);
        const all = refused + (counts['200'] ?? 0);
        return [{ about: `${refused} of ${all} PATCHes not 200`, ok: refused === 0 && all > 0 }];
      },
    };
  },

  async run({ url, until, counts }, { customer, credentials }) {
    const { accountId, printerIds } = customer;
    for (const [burst, credential] of credentials.entries()) {
      if (performance.now() >= until) return;
      const patches = Array.from({ length: AT_ONCE }, async (_, n) => {
        const question = {
          method: 'PATCH',
          path: `/v1/accounts/${accountId}/printers/${printerIds[n % PRINTERS]!}`,
          headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
          body: JSON.stringify({ display_name: `Till ${burst}-${n}` }),
          from: ATTACKER,
        };
        note(counts, await outcomeOf(ask(url, question)));
      });
      await Promise.all(patches);
      await pause(BETWEEN_BURSTS_MS);
    }
  },
};
