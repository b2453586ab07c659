import { parentPort, workerData } from 'node:worker_threads';
import { StoreDamagedError, UnavailableError } from '../../kernel/errors.js';
import type { ReadingModule } from '../ports/stores.js';
import { openForReading } from './connection.js';
import type { Answer, ReadFolder } from './reading-client.js';
import { guardReader, messageOf } from './sqlite-errors.js';
import { SqliteHashStore } from './sqlite-hash-store.js';
import { SqliteStoredTexts } from './sqlite-stored-texts.js';

/** For reading in order. */
const CACHE_KB = 1_024;

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
