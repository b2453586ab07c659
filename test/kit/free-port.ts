import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** For a program that takes its port as a setting: another program may take it first, if rarely. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
