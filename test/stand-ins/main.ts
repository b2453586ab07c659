import { parseArgs } from 'node:util';
import { startEventStore } from './eventstore/event-store-cluster.js';
import { startMongo } from './mongodb/start-mongo.js';
import type { Answer, Ready, Request, StandIn } from './stand-in.js';

// npm run stand-in -- eventstoredb|mongodb [--port N] [--like VERSION] [--members N]: in the foreground, until a signal.
// With a channel to its parent it is a child of a test, which controls it, and ends with it.
const USAGE = 'usage: stand-in eventstoredb|mongodb [--port N] [--like VERSION] [--members N]';

async function start(): Promise<StandIn> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '0' },
      like: { type: 'string' },
      members: { type: 'string', default: '1' },
      options: { type: 'string', default: '{}' },
    },
  });
  const { options, like } = values;
  const port = Number(values.port);
  switch (positionals[0]) {
    case 'eventstoredb':
      return startEventStore({
        port,
        members: Number(values.members),
        ...(like && { like }),
        ...(JSON.parse(options) as object),
      });
    case 'mongodb':
      if (like) throw new Error('the MongoDB stand-in imitates one version only');
      return startMongo(port);
    default:
      throw new Error(USAGE);
  }
}

function obeyParent({ url, controls }: StandIn): void {
  const answer = async ({ id, control, args }: Request): Promise<Answer> => {
    try {
      return { id, result: await controls[control]!(...(args as never[])) };
    } catch (error) {
      return { id, error: String(error) };
    }
  };
  // The parent is gone, however it went.
  process.on('disconnect', () => process.exit());
  process.on('message', (request: Request) => void answer(request).then((result) => process.send!(result)));
  process.send!({ url } satisfies Ready);
}

try {
  const standIn = await start();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  if (process.send) obeyParent(standIn);
  else process.stdout.write(`${JSON.stringify({ ready: true, url: standIn.url })}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 64;
}
