import { createReadStream } from 'node:fs';
import { CallFailed } from '../operator-client.js';
import type { Work } from '../work.js';
import { linesOf, pagesOf, type Line } from './lines.js';

/** Limits of one request. */
const MOST = { lines: 500, bytes: 1_048_576 };

/** Sends the lines of an export page by page, in order. A repeat continues after an interruption. */
export const importEvents: Work = async (client, { file = '-' }, streams) => {
  const total = { appended: 0, known: 0, left_out: 0 };
  const source = file === '-' ? streams.in : createReadStream(String(file));
  if (!source)
    throw new CallFailed('there is nothing on standard input', 'Name the FILE of an export, or pipe one in.');
  try {
    for await (const page of pagesOf(linesOf(source), MOST)) {
      const body = { events: page.map(eventOf) };
      const done = (await client.call({ method: 'POST', path: '/events', body })) as typeof total;
      total.appended += done.appended;
      total.known += done.known;
      total.left_out += done.left_out;
    }
  } catch (error) {
    if (error instanceof CallFailed) throw error;
    throw new CallFailed(
      `${String(file)} cannot be read: ${(error as Error).message}`,
      'Name a FILE that `rps events export` has written.',
    );
  }
  return total;
};

function eventOf({ number, text }: Line): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CallFailed(`line ${number} is not JSON`, 'The export may be cut off: run it again.');
  }
}
