import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ATTACKER, type Attack } from './attack.js';
import { headOf, hold } from './hold.js';

const CONNECTIONS = 20;
const REQUESTS_A_WRITE = 50;
const REOPEN_MS = 50;

export const badKeys: Attack = {
  name: 'A4',
  about: `${CONNECTIONS} connections pipeline requests with bad keys as fast as the service reads`,

  prepare: async () => ({ given: {} }),

  run(running) {
    const headers = { authorization: `Bearer svc_live_${'x'.repeat(60)}` };
    const batch = headOf(running.url, 'GET /v1/svc-api-account', headers).repeat(REQUESTS_A_WRITE);
    return hold(running, {
      ...{ count: CONNECTIONS, from: ATTACKER, reopenMs: REOPEN_MS },
      keeps: () => true,
      start: (socket) => void pipeline(socket, batch),
    });
  },
};

async function pipeline(socket: Socket, batch: string): Promise<void> {
  const ended = new AbortController();
  socket.once('close', () => ended.abort());
  try {
    while (!ended.signal.aborted) {
      if (!socket.write(batch)) await once(socket, 'drain', { signal: ended.signal });
    }
  } catch {
    // The service has closed the connection.
  }
}
