import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, StoreDamagedError, UnavailableError } from '../../kernel/errors.js';
import type { ReadingModule } from '../ports/stores.js';
import { openForReading } from './connection.js';
import type { Answer, ReadFolder } from './reading-client.js';
import { guardReader } from './sqlite-errors.js';
import { SqliteHashStore } from './sqlite-derived-stores.js';
import { SqliteStoredTexts } from './sqlite-event-store.js';

/** For reading in order. */
const CACHE_KB = 1_024;

standBack();
const { dataDir, readingUrl } = workerData as ReadFolder;
const { begin } = (await import(readingUrl)) as ReadingModule;
const reader = guardReader(openForReading(dataDir, CACHE_KB), () => undefined);
const work = begin({ texts: new SqliteStoredTexts(reader), hashes: SqliteHashStore.again(dataDir) });

parentPort!.on('message', (request) => void answer(request));

async function answer(request: unknown): Promise<void> {
  const answered = await work(request as never).then(
    (result): Answer => ({ kind: 'done', result }),
    failureOf,
  );
  parentPort!.postMessage(answered);
}

function failureOf(error: unknown): Answer {
  const message = messageOf(error);
  if (error instanceof StoreDamagedError) return { kind: 'damaged', message };
  return { kind: error instanceof UnavailableError ? 'unavailable' : 'failed', message };
}

/** Gives way to the threads that answer requests, when no core is free. Only Linux has a priority for each thread. */
function standBack(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = readlinkSync('/proc/thread-self').split('/').at(-1);
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
    setPriority(Number(thread), Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
  } catch {
    // A sandbox may forbid it: then the thread has the priority of the others.
  }
}
