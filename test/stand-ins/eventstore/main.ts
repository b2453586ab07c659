import { EventStoreNode } from './event-store-node.js';
import type { Commands, Ready, Request, ServerOptions } from './control.js';

const node = new EventStoreNode(JSON.parse(process.argv[2]!) as ServerOptions);

const commands: { [Name in keyof Commands]: (...args: Parameters<Commands[Name]>) => unknown } = {
  set: (changes) => node.state.faults.set(changes),
  counters: () => node.counters(),
  inject: (events) => node.inject(events),
  goDown: () => node.goDown(),
  listen: () => node.listen(),
  dropSubscriptions: (how) => node.dropSubscriptions(how),
  dropConnections: () => node.dropConnections(),
};

async function obey({ id, command, args }: Request): Promise<void> {
  try {
    const run = commands[command] as (...args: unknown[]) => unknown;
    process.send!({ id, result: await run(...args) });
  } catch (error) {
    process.send!({ id, error: String(error) });
  }
}

// The parent is gone, however it went.
process.on('disconnect', () => process.exit());
process.on('message', (request: Request) => void obey(request));
process.send!({ port: await node.listen() } satisfies Ready);
