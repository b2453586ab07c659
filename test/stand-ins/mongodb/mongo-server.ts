import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Controls, Counters, Done } from './control.js';
import type { Failure } from './faults.js';
import type { Drop } from './wire/server.js';

/** Built, whether this file is run as it is (by Jest) or from the build. */
const PROGRAM = fileURLToPath(new URL('.', import.meta.url)).replace(
  /(\/dist)?\/test\/stand-ins\/mongodb\/$/,
  '/dist/test/stand-ins/mongodb/main.js',
);
const DATABASE = 'rps';

/** Each takes effect before its promise resolves. */
export interface MongoFaults {
  /** The next `times` writes are refused with NotWritablePrimary; without a number all are, and `hello` says secondary. */
  notPrimary(times?: number): Promise<void>;
  /** It was cut off from the others and has not noticed: reads see nothing, linearizable ones fail. */
  cutOff(): Promise<void>;
  /** The connection of the next writes closes before anything is done. */
  loseRequests(times: number): Promise<void>;
  /** The next writes are carried out, then their connection closes instead of a reply. */
  loseReplies(times: number): Promise<void>;
  /** The next upserts that would insert fail with E11000 on `_id_`, as if another writer had been first. Nothing is written. */
  loseUpsertRaces(times: number): Promise<void>;
  /** Commands fail before they do anything; `commands` left out means all. */
  fail(failure: Failure): Promise<void>;
  /** Every reply waits, in ms. */
  slow(ms: number): Promise<void>;
  /** Nothing but `hello` is carried out or answered until `clear`. */
  hang(): Promise<void>;
  /** Ends all of the above; what hung is carried out. */
  clear(): Promise<void>;
}

export interface MongoServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly faults: MongoFaults;
  counters(): Promise<Counters>;
  /** All connections end, as of a process that ends or by a reset; new ones end as soon as they are made, for `refuseMs`. */
  dropAll(refuseMs?: number, how?: Drop['how']): Promise<void>;
  /** Data and answers to retryable writes stay; connections, cursors and open transactions are gone. */
  restart(downMs?: number): Promise<void>;
  /** Deletes what TTL indexes say is over at this time (ms since the epoch); how many documents. */
  expire(at: number): Promise<number>;
  /** The process stands still (SIGSTOP): connections stay open, nothing moves. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
// A frozen process would not notice that its parent is gone.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * A MongoDB of one member for tests, on its own port in its own process: see README.md for what it does and does not.
 * The program is the built one: run `npm run build` before.
 */
export async function startMongoServer(): Promise<MongoServer> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: npm run build`);
  const child = fork(PROGRAM, [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => running.delete(child));
  const port = await portOf(child);
  const ask = askerOf(child);
  return {
    url: `mongodb://127.0.0.1:${port}/${DATABASE}?replicaSet=rs0&directConnection=true`,
    ...{ port, pid: child.pid!, faults: faultsOf(ask) },
    counters: () => ask('counters') as Promise<Counters>,
    dropAll: (refuseMs = 0, how = 'end') => ask('drop', { refuseMs, how }) as Promise<void>,
    restart: (downMs = 0) => ask('restart', downMs) as Promise<void>,
    expire: (at) => ask('expire', at) as Promise<number>,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop() {
      // Whoever waits for the end must not end before it.
      child.ref();
      child.kill('SIGKILL');
      return ended;
    },
  };
}

type Ask = (control: keyof Controls, argument?: unknown) => Promise<unknown>;

const faultsOf = (ask: Ask): MongoFaults => ({
  notPrimary: (times) => ask('notPrimary', times) as Promise<void>,
  cutOff: () => ask('cutOff') as Promise<void>,
  loseRequests: (times) => ask('loseRequests', times) as Promise<void>,
  loseReplies: (times) => ask('loseReplies', times) as Promise<void>,
  loseUpsertRaces: (times) => ask('loseUpsertRaces', times) as Promise<void>,
  fail: (failure) => ask('fail', failure) as Promise<void>,
  slow: (ms) => ask('slow', ms) as Promise<void>,
  hang: () => ask('hang') as Promise<void>,
  clear: () => ask('clear') as Promise<void>,
});

const portOf = (child: ChildProcess) =>
  new Promise<number>((resolve, reject) => {
    child.once('message', ({ port }: { port: number }) => resolve(port));
    child.once('exit', (code) => reject(new Error(`the MongoDB test server ended with ${code}`)));
  });

/** The child holds its parent only while an answer is awaited. */
function askerOf(child: ChildProcess): Ask {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  child.unref();
  child.channel?.unref();
  child.on('message', ({ id, result }: Done) => {
    waiting.get(id)?.resolve(result);
    waiting.delete(id);
    if (waiting.size === 0) child.channel?.unref();
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the MongoDB test server has ended'));
  });
  return (control, argument) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      child.channel?.ref();
      child.send({ id, control, argument }, (error) => error && reject(error));
    });
}
