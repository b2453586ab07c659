import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Parse, Values, Work } from './command.js';
import { CallFailed, type OperatorClient, UsageFailed } from './operator-client.js';

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly retry_state: string;
  readonly failure_code?: string;
  readonly failure_message?: string;
  readonly receipt?: object;
}

const POLL_MS = 500;
const MAX_TITLE = 160;

/** A name, or a size as `100x150mm`. */
export const paper: Parse = (text) => {
  const [, width, height, unit] = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(mm|in)$/.exec(text) ?? [];
  if (unit === undefined) return text;
  const mm = (length: string | undefined) => Math.round(Number(length) * (unit === 'in' ? 2540 : 100)) / 100;
  return { width_mm: mm(width), height_mm: mm(height) };
};

/** Prints files in their order; with `wait` resolves once the spooler has them. @throws CallFailed if a job ends before */
export const createJobs: Work = async (client, { files, ...values }) => {
  const names = files as readonly string[];
  if (names.length > 1 && values.idempotency_key !== undefined)
    throw new UsageFailed('--idempotency-key is for one file', 'Give each file in a command of its own.');
  const items: object[] = [];
  for (const name of names) items.push(await createJob(client, name, values));
  return names.length === 1 ? items[0] : { items };
};

async function createJob(client: OperatorClient, name: string, { wait, ...values }: Values): Promise<object> {
  const bytes = await readFile(name).catch((error: Error) => {
    throw new CallFailed(`${name} cannot be read: ${error.message}`, 'Give the path of a file.');
  });
  const { printer, account_id, copies, idempotency_key, external_id, ...rest } = values;
  const { title = path.basename(name).slice(0, MAX_TITLE), ...options } = rest;
  const content = contentOf(name, bytes);
  const body = { printer, account_id, content, copies, title, external_id, idempotency_key, options };
  const { job_id, status } = (await client.call({ method: 'POST', path: '/jobs', body })) as Job;
  return wait ? spooled(client, job_id) : { job_id, status };
}

/** By its first bytes, else by its name. */
function contentOf(name: string, bytes: Buffer) {
  const isPdf = bytes.subarray(0, 5).toString('latin1') === '%PDF-';
  if (!isPdf && /\.te?xt$/i.test(name) && isUtf8(bytes))
    return { type: 'text', encoding: 'utf8', data: bytes.toString('utf8') };
  return { type: isPdf ? 'pdf' : 'raw', encoding: 'base64', data: bytes.toString('base64') };
}

async function spooled(client: OperatorClient, jobId: string): Promise<object> {
  for (;;) {
    const job = (await client.call({ method: 'GET', path: `/jobs/${jobId}` })) as Job;
    const { job_id, status, retry_state, failure_code, failure_message, receipt } = job;
    if (status === 'sent_to_spooler' || status === 'spooler_completed')
      return { job_id, status, ...(receipt && { receipt }) };
    if (ENDS.has(status) && retry_state !== 'scheduled') {
      const cause = failure_code ? `: ${failure_code}${failure_message ? `, ${failure_message}` : ''}` : '';
      throw new CallFailed(
        `job ${jobId} is ${status}${cause}`,
        `\`rps job show ${jobId}\` shows its history.`,
      );
    }
    await pause(POLL_MS);
  }
}

const ENDS: ReadonlySet<string> = new Set(['failed', 'manual_review', 'cancelled', 'expired']);
