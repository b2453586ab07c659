import { Worker } from 'node:worker_threads';
import type { ViewVerification } from '../ports/view-store.port.js';
import { damageOf, isDamage } from './sqlite-errors.js';
import type { FromWriter, ToWriter } from './writer-messages.js';
import { messageOf } from '../../kernel/errors.js';

export type WriterLink = (message: ToWriter) => void;

export type Receive = (message: FromWriter) => void;

export interface ProjectedFolder {
  readonly dataDir: string;
  readonly projectionsUrl: string;
}

export interface StoreThreads {
  /** Resolves once the writer has opened the database and built missing views. */
  startWriter(folder: ProjectedFolder, receive: Receive): Promise<WriterLink>;
  verify(folder: ProjectedFolder): Promise<readonly ViewVerification[]>;
  /** Compares the tables of the log with their indexes. @throws SqliteError */
  checkLog(dataDir: string): Promise<void>;
}

/** Fits the objects of one batch, so that garbage collection copies little. */
const YOUNG_GENERATION_MB = 32;

export const workerThreads: StoreThreads = { startWriter, verify, checkLog };

function startWriter(workerData: ProjectedFolder, receive: Receive): Promise<WriterLink> {
  const worker = new Worker(new URL('./writer-thread.js', import.meta.url), {
    workerData,
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
      receive({ kind: 'fatal', message: `the writer failed: ${messageOf(error)}` });
    });
    worker.on('exit', (code) => {
      if (!closed) receive({ kind: 'fatal', message: `the writer ended with ${code}` });
      // Only now the database is certainly closed.
      receive({ kind: 'closed' });
    });
  });
}

/** Each has a thread of its own, which it keeps busy. */
export type Check = { readonly views: ProjectedFolder } | { readonly log: string };

function verify(views: ProjectedFolder): Promise<readonly ViewVerification[]> {
  return new Promise((resolve, reject) => {
    checkThread({ views }).once('message', resolve).once('error', reject);
  });
}

function checkLog(log: string): Promise<void> {
  return new Promise((resolve, reject) => {
    checkThread({ log }).once('message', resolve).once('error', reject).unref();
  });
}

const checkThread = (workerData: Check) =>
  new Worker(new URL('./check-thread.js', import.meta.url), { workerData });
