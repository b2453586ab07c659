import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { UndiciWebhookClient } from '../../../src/contexts/webhooks/client/undici-webhook-client.js';
import {
  makeAddressRule,
  PUBLIC_ONLY,
  type AddressRule,
} from '../../../src/contexts/webhooks/client/target/address-rule.js';
import { CertificateAuthority } from '../../kit/certificates.js';

/** Two local addresses stand for the public and the forbidden one; both listen on the same port. */
const PUBLIC = '127.0.0.2';
const FORBIDDEN = '127.0.0.3';
const rule: AddressRule = (address) => (address === PUBLIC ? undefined : 'forbidden');
const DELIVERIES = 1_000;

/** Answers every request with 204 and counts connections. */
async function listen(
  host: string,
  port: number,
  tls?: TlsOptions,
): Promise<{ server: Server; port: number; connections: () => number }> {
  let connections = 0;
  const answer = (socket: Socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
  };
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return { server, port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** Result of each look-up: good, bad, and both in either order, changing often. */
function rebinding(): () => readonly string[] {
  const answers = [
    [PUBLIC],
    [FORBIDDEN],
    [PUBLIC, FORBIDDEN],
    [PUBLIC],
    [FORBIDDEN, PUBLIC],
    [PUBLIC, '::1'],
    [],
  ];
  let asked = 0;
  return () => answers[(asked++ * 3 + (asked >> 4)) % answers.length]!;
}

const NAME = 'rebound.example.com';
const authority = new CertificateAuthority();
afterAll(() => authority.remove());

/** The allowed address is a public one in development, or in a network that the operator allows. */
const CASES = [
  ['http', { allowInsecure: true, rule }, undefined],
  ['https', { allowInsecure: false, operatorAllowed: [PUBLIC], ca: authority.ca }, authority.issue(NAME)],
] as const;

describe('sending to a name that is rebound repeatedly', () => {
  it.each(CASES)(
    `makes no forbidden connection in ${DELIVERIES} deliveries (%s)`,
    async (scheme, options, tls) => {
      const allowed = await listen(PUBLIC, 0, tls);
      const forbidden = await listen(FORBIDDEN, allowed.port, tls);
      const sockets: Socket[] = [];
      const answer = rebinding();
      const said: string[] = [];
      const client = new UndiciWebhookClient({
        timeoutMs: 2_000,
        ...options,
        resolve: async () => {
          const addresses = answer();
          said.push(addresses.join());
          return addresses;
        },
        onSocket: (socket) => sockets.push(socket),
      });
      const target = `${scheme}://${NAME}:${allowed.port}/`;
      const outcomes = new Map<string, number>();
      for (let n = 0; n < DELIVERIES; n += 20) {
        const batch = Array.from({ length: 20 }, () =>
          client.send({ target, headers: {}, body: Buffer.from('{}') }),
        );
        for (const { failureCode = 'delivered' } of await Promise.all(batch)) {
          outcomes.set(failureCode, (outcomes.get(failureCode) ?? 0) + 1);
        }
      }
      await client.close();
      for (const { server } of [allowed, forbidden]) await new Promise((resolve) => server.close(resolve));

      expect(forbidden.connections()).toBe(0);
      expect(allowed.connections()).toBeGreaterThan(0);
      const good = said.filter((addresses) => addresses === PUBLIC).length;
      const none = said.filter((addresses) => addresses === '').length;
      expect(Object.fromEntries(outcomes)).toEqual({
        delivered: good,
        DNS_FAILED: none,
        TARGET_REFUSED: DELIVERIES - good - none,
      });
      expect(good).toBeGreaterThan(100);
      expect(sockets.every((socket) => socket.destroyed)).toBe(true);
    },
  );
});

describe('sending to a forbidden target', () => {
  const opened: Socket[] = [];
  const addresses: Record<string, readonly string[]> = {
    'mixed.example.com': ['93.184.216.34', '10.0.0.1'],
    'metadata.example.com': ['169.254.169.254'],
    'mapped.example.com': ['::ffff:127.0.0.1'],
    'odd.example.com': ['not an address'],
  };
  const client = new UndiciWebhookClient({
    timeoutMs: 1_000,
    allowInsecure: false,
    rule: makeAddressRule(PUBLIC_ONLY),
    resolve: async (name) => addresses[name] ?? [],
    onSocket: (socket) => opened.push(socket),
  });

  it.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://mixed.example.com/',
    'https://metadata.example.com/',
    'https://mapped.example.com/',
    'https://odd.example.com/',
    'http://8.8.8.8/',
    'https://8.8.8.8:444/',
  ])('opens no socket for %s', async (target) => {
    const answer = await client.send({ target, headers: {}, body: Buffer.from('{}') });
    expect(answer.failureCode).toBe('TARGET_REFUSED');
    expect((await client.examine(target)).allowed).toBe(false);
    expect(opened).toEqual([]);
  });

  it('reports an unresolved name at create', async () => {
    expect(await client.examine('https://nowhere.example.com/')).toEqual({
      allowed: false,
      rule: 'must have an address',
    });
  });

  it('ignores proxies of the environment', async () => {
    process.env.HTTPS_PROXY = 'http://127.0.0.1:9';
    const answer = await client.send({
      target: 'https://metadata.example.com/',
      headers: {},
      body: Buffer.of(),
    });
    delete process.env.HTTPS_PROXY;
    expect(answer.failureCode).toBe('TARGET_REFUSED');
  });
});
