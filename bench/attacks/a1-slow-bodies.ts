import { openCustomer } from '../world.js';
import { ATTACKER, OTHER_ATTACKER, type Attack } from './attack.js';
import { headOf, hold } from './hold.js';

const CONNECTIONS = 262;
/** Just above the size from which a body takes an upload slot. */
const ANNOUNCED_BYTES = 70_000;
const START_OF_BODY = '{"enrollment_token":"';
const REOPEN_MS = 1_000;

/** Half of the connections go to each operation that needs no credential. */
export const unauthenticatedBodies: Attack = {
  name: 'A1a',
  about: `${CONNECTIONS} connections without a credential announce ${ANNOUNCED_BYTES} bytes and send 21`,

  prepare: async () => ({ given: {} }),

  run: (running) =>
    hold(running, {
      count: CONNECTIONS,
      from: ATTACKER,
      reopenMs: REOPEN_MS,
      start(socket, n) {
        const path = n % 2 === 0 ? '/v1/managed/enroll' : '/v1/panel/session';
        const headers = { 'content-type': 'application/json', 'content-length': String(ANNOUNCED_BYTES) };
        const own = { ...headers, 'sec-fetch-site': 'same-origin' };
        socket.write(headOf(running.url, `POST ${path}`, own) + START_OF_BODY);
      },
    }),
};

const UPLOADS_OF_ACCOUNT = 4;
const UPLOAD_BYTES = 14_000_000;
const BYTES_A_SECOND = 1_000;

/** Body of a create of 10 MB, a kilobyte a second. */
export const slowUploads: Attack<{ readonly keys: readonly string[] }> = {
  name: 'A1b',
  about: '8 uploads of 10 MB from two accounts at 1 KB/s',

  async prepare(service) {
    const customers = [await openCustomer(service, 1), await openCustomer(service, 1)];
    return { given: { keys: customers.map(({ key }) => key) } };
  },

  async run(running, { keys }) {
    const uploads = keys.map((key, account) =>
      hold(running, {
        count: UPLOADS_OF_ACCOUNT,
        from: account === 0 ? ATTACKER : OTHER_ATTACKER,
        reopenMs: REOPEN_MS,
        start(socket, n) {
          const headers = {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'content-length': String(UPLOAD_BYTES),
            'idempotency-key': `slow-${account}-${n}-${Math.round(performance.now())}`,
          };
          const start = '{"content":{"type":"raw","encoding":"base64","data":"';
          socket.write(headOf(running.url, 'POST /v1/svc-api-print-jobs', headers) + start);
          const trickle = setInterval(() => socket.write('A'.repeat(BYTES_A_SECOND)), 1_000);
          socket.once('close', () => clearInterval(trickle));
        },
      }),
    );
    await Promise.all(uploads);
  },
};
