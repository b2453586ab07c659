import { call, openCustomer } from '../world.js';
import { Sink } from '../webhooks/sink-process.js';
import { createWebhook, INSECURE, WEBHOOKS_PER_ACCOUNT } from '../webhooks/subscribers.js';
import { askInLoops } from './ask.js';
import { ATTACKER, type Attack } from './attack.js';

const PRINTERS = 500;
const PAUSE_MS = 200;

export const renamedPrinters: Attack<{ readonly credential: string }> = {
  name: 'A6',
  about: `an Agent renames ${PRINTERS} printers at each inventory; ${WEBHOOKS_PER_ACCOUNT} webhooks never answer`,
  env: INSECURE,

  async prepare(service) {
    const sink = await Sink.start();
    const { accountId, deviceCredential } = await openCustomer(service, PRINTERS);
    for (let n = 0; n < WEBHOOKS_PER_ACCOUNT; n++) {
      await createWebhook(service, accountId, sink.url('hole', n), ['printer.updated']);
    }
    return {
      given: { credential: deviceCredential },
      async after() {
        type State = { deliveries: Readonly<Record<string, number>> };
        const { url, operatorToken } = service;
        const { deliveries } = await call<State>(url, operatorToken, 'GET', '/operator/service');
        const sum = Object.values(deliveries).reduce((total, count) => total + count, 0);
        return [{ about: `${sum} unfinished deliveries`, ok: true }];
      },
      close: () => sink.stop(),
    };
  },

  run: (running, { credential }) =>
    askInLoops(running, 1, {
      expected: '200',
      pauseMs: PAUSE_MS,
      next: (n) => ({
        method: 'PUT',
        path: '/v1/agent/inventory',
        from: ATTACKER,
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body: JSON.stringify({ printers: Array.from({ length: PRINTERS }, (_, key) => printer(key, n)) }),
      }),
    }),
};

const printer = (key: number, name: number) => ({
  printer_key: `till-${key}`,
  name: `Till ${key} number ${name}`,
  is_default: key === 0,
  is_virtual: true,
  online: true,
});
