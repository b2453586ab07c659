import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { IppClient, ippServer } from './ipp-client.js';
import { IppMalformed } from './ipp-message.js';

describe('a call of IPP', () => {
  it('ends an answer that goes on and on', async () => {
    const server = createServer((_, response) => {
      function* endless() {
        for (;;) yield Buffer.alloc(1024 * 1024);
      }
      Readable.from(endless(), { objectMode: false }).pipe(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const ipp = new IppClient(ippServer(`127.0.0.1:${(server.address() as AddressInfo).port}`));

    await expect(ipp.execute({ operation: 0x000b })).rejects.toThrow(IppMalformed);
    await ipp.close();
    server.closeAllConnections();
    server.close();
  });
});
