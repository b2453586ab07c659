import { createReadStream } from 'node:fs';
import { CallFailed } from '../operator-client.js';
import type { Work } from '../command.js';

const LIMITS = { lines: 500, bytes: 1_048_576 };

/** A repeat continues after an interruption. */
export const importEvents: Work = async (client, { file = '-' }, streams) => {
  const total = { appended: 0, known: 0, left_out: 0 };
  const source = file === '-' ? streams.in : createReadStream(String(file));
  if (!source)
    throw new CallFailed('there is nothing on standard input', 'Name the FILE of an export, or pipe one in.');
  try {
    for await (const page of pagesOf(linesOf(source), LIMITS)) {
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

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly bytes: number;
}

export async function* linesOf(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  const line = (text: string): Line => ({ number, text, bytes: Buffer.byteLength(text) });
  for await (const piece of pieces) {
    rest += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop()!;
    for (const text of lines) {
      number++;
      if (text.trim() !== '') yield line(text);
    }
  }
  number++;
  if (rest.trim() !== '') yield line(rest);
}

/** A line beyond the limit gets its own page. */
export async function* pagesOf(
  lines: AsyncIterable<Line>,
  most: { readonly lines: number; readonly bytes: number },
): AsyncGenerator<readonly Line[]> {
  let page: Line[] = [];
  let bytes = 0;
  for await (const line of lines) {
    if (page.length === most.lines || (page.length > 0 && bytes + line.bytes > most.bytes)) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(line);
    bytes += line.bytes;
  }
  if (page.length > 0) yield page;
}
