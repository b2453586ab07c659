import { parseArgs } from 'node:util';
import { startEventStore } from './eventstore/event-store-cluster.js';
import { startMongo } from './mongodb/start-mongo.js';
import type { Answer, Request, StandIn } from './stand-in.js';

// npm run stand-in -- eventstoredb|mongodb [--port N] [--like VERSION] [--members N]: in the foreground, until a signal.
// With a channel to its parent it is a child of tests: it opens stand-ins one after another, and ends with its parent.
const USAGE = 'usage: stand-in eventstoredb|mongodb [--port N] [--like VERSION] [--members N]';

function open(
  kind: string | undefined,
  options: { readonly port?: number; like?: string },
): Promise<StandIn> {
  switch (kind) {
    case 'eventstoredb':
      return startEventStore(options);
    case 'mongodb':
      if (options.like) throw new Error('the MongoDB stand-in imitates one version only');
      return startMongo(options.port);
    default:
      throw new Error(USAGE);
  }
}

function obeyParent(): void {
  let current: StandIn | undefined;
  const obey = async ({ control, args }: Request): Promise<unknown> => {
    switch (control) {
      case 'open':
        current = await open(...(args as Parameters<typeof open>));
        return current.url;
      case 'close':
        return current!.close();
      default:
        return current!.controls[control]!(...(args as never[]));
    }
  };
  const answer = (request: Request): Promise<Answer> =>
    obey(request).then(
      (result) => ({ id: request.id, result }),
      (error: unknown) => ({ id: request.id, error: String(error) }),
    );
  // The parent is gone, however it went.
  process.on('disconnect', () => process.exit());
  process.on('message', (request: Request) => void answer(request).then((result) => process.send!(result)));
}

async function runInForeground(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '0' },
      like: { type: 'string' },
      members: { type: 'string', default: '1' },
    },
  });
  const { like, port, members } = values;
  const options = { port: Number(port), members: Number(members), ...(like && { like }) };
  const { url } = await open(positionals[0], options);
  process.stdout.write(`${JSON.stringify({ ready: true, url })}\n`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
if (process.send) obeyParent();
else {
  await runInForeground().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 64;
  });
}
