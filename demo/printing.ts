import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pdf, raw, type Printer, type PrintJob, type RemotePrinting } from '../sdk/src/index.js';
import { eventually } from './api.js';
import { moment, say, step } from './screen.js';

interface Document {
  readonly file: string;
  readonly type: 'pdf' | 'raw';
  readonly bytes: Uint8Array;
  readonly title: string;
  readonly copies?: number;
  readonly options?: PrintJob['options'];
}

export function readyPrinter(
  service: RemotePrinting,
  what: string,
  isWanted: (printer: Printer) => boolean,
): Promise<Printer> {
  return eventually(`${what} online`, 60_000, async () => {
    for await (const printer of service.printers.list({ status: 'online' }))
      if (isWanted(printer)) return printer;
    return undefined;
  });
}

/** Creates the job through the API. */
export async function print(
  service: RemotePrinting,
  printer: Printer,
  document: Document,
): Promise<PrintJob> {
  const { file, type, bytes, ...more } = document;
  const digest = createHash('sha256').update(bytes).digest('hex');
  step('document', `${file}, ${bytes.byteLength} bytes`, `sha256 ${digest.slice(0, 16)}…`);
  const content = { pdf, raw }[type](bytes);
  const { job } = await service.jobs.create({ printer_id: printer.printer_id, content, ...more });
  if (job.options) step('options', JSON.stringify(job.options));
  step('job', job.job_id, `POST /svc-api-print-jobs answered ${job.status}`);
  return job;
}

/** Prints each new event of the history until the job stops. @throws Error unless it completed */
export async function watch(service: RemotePrinting, jobId: string): Promise<PrintJob> {
  const shown = new Set<string>();
  say('\n  Timeline, as GET /svc-api-print-jobs/{job_id} tells it\n');
  const { outcome, job } = await service.jobs.waitForCompletion(jobId, {
    maxWaitMs: 60_000,
    onChange: ({ history, created_at }) => {
      for (const event of history) {
        if (!shown.has(event.event_id)) moment(event, created_at);
        shown.add(event.event_id);
      }
    },
  });
  if (outcome !== 'completed') throw new Error(`the job ended as ${outcome}`);
  return job;
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
