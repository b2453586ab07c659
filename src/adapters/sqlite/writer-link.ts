import { Worker } from 'node:worker_threads';
import { damageOf, isDamage } from './sqlite-errors.js';
import { WriterHost } from './writer-host.js';
import type { FromWriter, ToWriter } from './writer-messages.js';
import type { WriterThreadData } from './writer-thread.js';
import { Writer, type Projections } from './writer.js';

/** Sends messages to the writer; answers go to its `receive` callback. */
export type WriterLink = (message: ToWriter) => void;

export type Receive = (message: FromWriter) => void;

/** A writer on the current thread, for tests: every commit blocks the event loop. */
export function writerInProcess(dataDir: string, projections: Projections, receive: Receive): WriterLink {
  const host = new WriterHost(new Writer(dataDir, projections), receive);
  return (message) => host.receive(message);
}

/** Large enough for the objects of a batch, so that garbage collection copies little. */
const YOUNG_GENERATION_MB = 32;

/** A writer on its own thread. Resolves when the thread has opened the database and built missing views. */
export function writerInThread(data: WriterThreadData, receive: Receive): Promise<WriterLink> {
  const worker = new Worker(new URL('./writer-thread.js', import.meta.url), {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  return new Promise((resolve, reject) => {
    let closed = false;
    worker.on('message', (message: FromWriter) => {
      if (message.kind === 'ready') resolve((request) => worker.postMessage(request));
      else if (message.kind === 'closed') closed = true;
      else receive(message);
    });
    worker.on('error', (error) => {
      reject(isDamage(error) ? damageOf(error) : error);
      receive({ kind: 'fatal', message: `the writer failed: ${error.message}` });
    });
    worker.on('exit', (code) => {
      if (!closed) receive({ kind: 'fatal', message: `the writer ended with ${code}` });
      // The database is certainly closed only now.
      receive({ kind: 'closed' });
    });
  });
}
