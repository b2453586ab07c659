import { controlsOf, type Done, type Order } from './control.js';
import { WireServer } from './wire/server.js';

// The server as a process of its own; it ends with the process that started it.
process.on('disconnect', () => process.exit(0));
const server = new WireServer();
const controls = controlsOf(server);
process.on('message', ({ id, control, argument }: Order) => {
  const result: unknown = (controls[control] as (argument: unknown) => unknown)(argument);
  process.send!({ id, result } satisfies Done);
});
process.send!({ port: await server.listen() });
