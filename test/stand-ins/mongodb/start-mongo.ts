import type { StandIn } from '../stand-in.js';
import { controlsOf } from './control.js';
import { WireServer } from './wire/server.js';

/** In this process; port 0 leaves the choice to the system. */
export async function startMongo(port = 0): Promise<StandIn> {
  const server = new WireServer();
  const at = await server.listen(port);
  const url = `mongodb://127.0.0.1:${at}/rps?replicaSet=rs0&directConnection=true`;
  return { url, controls: controlsOf(server), close: () => server.close() };
}
