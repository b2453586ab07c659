import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Work } from './command.js';
import { CallFailed, type OperatorClient } from './operator-client.js';

interface Content {
  readonly job_id: string;
  readonly content_hash: string;
}

const PAGE = 1000;
const JOB_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One file DIR/<job id> per document; skips complete files from an earlier run. */
export const exportContents: Work = async (client, { folder }, streams) => {
  const target = String(folder);
  await inFolder(target, mkdir(target, { recursive: true, mode: 0o700 }));
  const total = { saved: 0, known: 0, missing: 0, damaged: 0 };
  for await (const { job_id: jobId, content_hash: hash } of listed(client)) {
    const file = path.join(target, jobId);
    if ((await hashIn(file)) === hash) {
      total.known++;
      continue;
    }
    const bytes = await fetched(client, jobId);
    if (typeof bytes === 'string') {
      streams.err(`the document of job ${jobId} is ${bytes}\n`);
      total[bytes]++;
      continue;
    }
    if (sha256(bytes) !== hash)
      throw new CallFailed(`the document of job ${jobId} arrived damaged`, 'Run the command again.');
    await inFolder(target, writeFile(`${file}.part`, bytes, { mode: 0o600 }));
    await inFolder(target, rename(`${file}.part`, file));
    total.saved++;
  }
  return total;
};

export const importContents: Work = async (client, { folder }) => {
  const source = String(folder);
  const files = (await inFolder(source, readdir(source))).filter((name) => JOB_ID.test(name)).sort();
  const there = new Set<string>();
  for await (const { job_id: jobId } of listed(client)) there.add(jobId);
  const total = { stored: 0, known: 0, left_out: 0 };
  for (const jobId of files) {
    if (there.has(jobId)) {
      total.known++;
      continue;
    }
    const data = (await inFolder(source, readFile(path.join(source, jobId)))).toString('base64');
    const body = { content: { type: 'raw', encoding: 'base64', data } };
    const answered = await client.call({ method: 'PUT', path: `/contents/${jobId}`, body });
    if ((answered as { stored: boolean }).stored) total.stored++;
    else total.left_out++;
  }
  return total;
};

async function* listed(client: OperatorClient): AsyncGenerator<Content> {
  let after: string | null | undefined;
  do {
    const query = { limit: `${PAGE}`, ...(after && { after }) };
    const page = (await client.call({ method: 'GET', path: '/contents', query })) as {
      items: Content[];
      next: string | null;
    };
    yield* page.items;
    after = page.next;
  } while (after);
}

/** `missing` if deleted meanwhile, e.g. after printing. */
async function fetched(client: OperatorClient, jobId: string): Promise<Uint8Array | 'missing' | 'damaged'> {
  try {
    return await client.download(`/contents/${jobId}`);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (error.code === 'CONTENT_NOT_FOUND') return 'missing';
    if (error.code === 'CONTENT_DAMAGED') return 'damaged';
    throw error;
  }
}

async function hashIn(file: string): Promise<string | undefined> {
  return readFile(file).then(sha256, () => undefined);
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function inFolder<T>(folder: string, doing: Promise<T>): Promise<T> {
  return doing.catch((error: Error) => {
    throw new CallFailed(
      `${folder} cannot be used: ${error.message}`,
      'Give a DIR that exists or can be made, and that this user may read and write.',
    );
  });
}

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
