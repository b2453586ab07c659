import type { Socket } from 'node:net';
import { makeAddressRule, PUBLIC_ONLY } from './target/address-rule.js';
import { vettedConnector } from './vetted-connector.js';

/** Connects to a local port without a listener; resolves to the failure and the number of opened sockets. */
async function connecting(host: string, publicRule?: string) {
  const opened: Socket[] = [];
  const connect = vettedConnector(
    { url: new URL(`https://${host}:1/`), publicRule, addresses: ['127.0.0.1'] },
    {
      rule: makeAddressRule({ ...PUBLIC_ONLY, operatorAllowed: ['receiver'] }),
      connectWithinMs: 5_000,
      isWanted: () => true,
      onSocket: (socket) => opened.push(socket),
    },
  );
  const failure = await new Promise((resolve) =>
    connect({ hostname: host, protocol: 'https:', port: '1' }, (...[error]) => resolve(error)),
  );
  return { failure, sockets: opened.length };
}

describe('connecting to an admitted target', () => {
  it('checks the address again for its host', async () => {
    expect(await connecting('receiver', 'must use port 443')).toMatchObject({
      failure: { failure: 'CONNECTION_FAILED' },
      sockets: 1,
    });
    for (const publicRule of [undefined, 'must use port 443']) {
      expect(await connecting('rebound.example.com', publicRule)).toMatchObject({
        failure: { failure: 'TARGET_REFUSED' },
        sockets: 0,
      });
    }
  });
});
