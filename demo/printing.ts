import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually, type Api } from './api.js';
import { moment, say, step, type HistoryEvent } from './screen.js';

export interface Printer {
  readonly printer_id: string;
  readonly name: string;
  readonly printer_code: string;
  readonly computer_name: string;
  readonly is_virtual: boolean;
  readonly status: string;
}

export interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly is_final: boolean;
  readonly created_at: string;
  readonly history?: readonly HistoryEvent[];
}

interface Document {
  readonly file: string;
  readonly type: 'pdf' | 'raw';
  readonly bytes: Uint8Array;
  readonly title: string;
  readonly copies?: number;
}

/** Statuses at which the demonstration stops watching. */
const RESTING = ['failed', 'manual_review'];

export function readyPrinter(
  call: Api,
  what: string,
  isWanted: (printer: Printer) => boolean,
): Promise<Printer> {
  return eventually(`${what} online`, 60_000, async () => {
    const { items } = await call<{ items: Printer[] }>('GET', '/svc-api-printers');
    return items.find((printer) => isWanted(printer) && printer.status === 'online');
  });
}

/** Creates the job through the API. */
export async function print(call: Api, printer: Printer, document: Document): Promise<Job> {
  const { file, type, bytes, title, copies } = document;
  const digest = createHash('sha256').update(bytes).digest('hex');
  step('document', `${file}, ${bytes.byteLength} bytes`, `sha256 ${digest.slice(0, 16)}…`);
  const content = { type, encoding: 'base64', data: Buffer.from(bytes).toString('base64') };
  const job = await call<Job>(
    'POST',
    '/svc-api-print-jobs',
    { printer_id: printer.printer_id, content, title, copies },
    { 'idempotency-key': `demo-${randomUUID()}` },
  );
  step('job', job.job_id, `POST /svc-api-print-jobs answered ${job.status}`);
  return job;
}

/** Prints each new event of the history until the job stops. @throws Error unless it completed */
export async function watch(call: Api, jobId: string): Promise<void> {
  const shown = new Set<string>();
  say('\n  Timeline, as GET /svc-api-print-jobs/{job_id} tells it\n');
  const { status } = await eventually('the end of the job', 60_000, async () => {
    const job = await call<Job>('GET', `/svc-api-print-jobs/${jobId}`);
    for (const event of job.history ?? []) {
      if (!shown.has(event.event_id)) moment(event, job.created_at);
      shown.add(event.event_id);
    }
    return job.is_final || RESTING.includes(job.status) ? job : undefined;
  });
  if (status !== 'spooler_completed') throw new Error(`the job ended as ${status}`);
}

/** Path of the printed file. @throws Error if it differs from the sent document */
export function printedFile(folder: string, jobId: string, sent: Uint8Array): string {
  const names = readdirSync(folder).filter((name) => name.startsWith(jobId));
  const [name] = names;
  if (names.length !== 1 || !name) throw new Error(`${folder} holds ${names.length} files of the job, not 1`);
  const file = path.join(folder, name);
  if (!readFileSync(file).equals(sent)) throw new Error(`${file} differs from what was sent`);
  return file;
}
