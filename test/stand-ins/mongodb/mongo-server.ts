import { StandInProcess } from '../child.js';
import type { Controls, Counters } from './control.js';
import type { Failure } from './faults.js';
import type { Drop } from './wire/server.js';

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
  /** Data and answers to retryable writes stay; connections and cursors are gone. */
  restart(downMs?: number): Promise<void>;
  /** Deletes what TTL indexes say is over at this time (ms since the epoch); how many documents. */
  expire(at: number): Promise<number>;
  /** The process stands still (SIGSTOP): connections stay open, nothing moves. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/**
 * A MongoDB of one member for tests, on its own port in its own process: see README.md for what it does and does not.
 * The program is the built one: run `npm run build` before.
 */
export async function startMongoServer(): Promise<MongoServer> {
  const process = await StandInProcess.start<Controls>('mongodb');
  const { url, pid } = process;
  const ask = process.ask.bind(process) as Ask;
  return {
    ...{ url, pid, port: Number(new URL(url).port), faults: faultsOf(ask) },
    counters: () => process.ask('counters'),
    dropAll: (refuseMs = 0, how = 'end') => process.ask('drop', { refuseMs, how }) as Promise<void>,
    restart: (downMs = 0) => process.ask('restart', downMs) as Promise<void>,
    expire: (at) => process.ask('expire', at),
    freeze: () => process.freeze(),
    thaw: () => process.thaw(),
    stop: () => process.stop(),
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
