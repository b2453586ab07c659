import { setTimeout as pause } from 'node:timers/promises';
import type { Resolved } from './ask.js';
import type { Streams } from './command.js';
import { CallFailed, type OperatorClient } from './operator-client.js';

/** For each request of a look: lists are limited to 60 a minute or more, which all operators share. */
const PER_REQUEST_MS = 2_000;
/** What is in no change, such as a new key, is seen after this. */
const LOOK_SECONDS = 10;
const MAX_SECONDS = 86_400;
const MAX_PAUSE_SECONDS = 60;
const CLEAR = '\u001b[H\u001b[2J\u001b[3J';

interface Watched {
  /** Resolves to the cursor to go on from. */
  readonly wait: (after: string, seconds: number) => Promise<string>;
  readonly ask: () => Promise<object>;
  readonly show: (data: object) => string;
  /** Requests so far. */
  readonly sent: () => number;
}

interface Time {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** Prints the answer again at each change, for so many seconds. @throws CallFailed */
export async function watch(
  { wait, ask, show, sent }: Watched,
  wanted: number,
  { out, err, readable }: Streams,
  time: Time = { now: Date.now, pause },
): Promise<number> {
  const seconds = Math.min(wanted, MAX_SECONDS);
  const end = time.now() + seconds * 1_000;
  const patiently = <T>(doing: () => Promise<T>) => untilTaken(doing, end, time, err);
  // Before the first look, so that no change falls between.
  let cursor = await patiently(() => wait('now', 0));
  for (let before = ''; ;) {
    const sentBefore = sent();
    const data = await patiently(ask);
    const between = PER_REQUEST_MS * (sent() - sentBefore);
    const state = JSON.stringify(data);
    // On a terminal the ages go on.
    if (readable || state !== before) await out((readable ? CLEAR : '') + show(data));
    before = state;
    await time.pause(Math.min(between, Math.max(0, end - time.now())));
    const left = Math.ceil((end - time.now()) / 1_000);
    if (left <= 0) break;
    cursor = await patiently(() => wait(cursor, Math.min(LOOK_SECONDS, left)));
  }
  err(`watched for ${seconds} s${seconds < MAX_SECONDS ? '; --for SECONDS watches longer' : ''}\n`);
  return 0;
}

/** Resolves to the cursor to go on from when something has happened, or after so many seconds. */
export async function nextChange(
  client: OperatorClient,
  { account }: Resolved,
  after: string,
  seconds: number,
) {
  const query = { after, limit: '1000', ...(account !== undefined && { account_id: account }) };
  const headers = { prefer: `wait=${seconds}` };
  try {
    const page = await client.call({ method: 'GET', path: '/changes', query, headers });
    return (page as { next_cursor: string } | undefined)?.next_cursor ?? after;
  } catch (error) {
    if (error instanceof CallFailed && error.code === 'HISTORY_CHANGED') return 'now';
    throw error;
  }
}

/** Repeats what the service refuses for now, when it says. @throws CallFailed if that is after the end */
async function untilTaken<T>(
  doing: () => Promise<T>,
  end: number,
  { now, pause }: Time,
  err: (text: string) => void,
): Promise<T> {
  for (;;) {
    try {
      return await doing();
    } catch (error) {
      if (!(error instanceof CallFailed) || error.retrySeconds === undefined) throw error;
      const seconds = Math.min(error.retrySeconds, MAX_PAUSE_SECONDS);
      if (now() + seconds * 1_000 > end) throw error;
      err(`rps: ${error.message}; again in ${seconds} s\n`);
      await pause(seconds * 1_000);
    }
  }
}
