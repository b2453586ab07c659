import {
  ApiError,
  RemotePrinting,
  RemotePrintingError,
  text,
  WaitTimeoutError,
  type PrintJob,
  type Submitted,
} from '../../../sdk/src/index.js';
import { verifyWebhook, WebhookVerificationError } from '../../../sdk/src/webhooks.js';
import { inspect } from 'node:util';
import type { Answer, Command, Driver } from './driver.js';

/** The npm SDK in this process. */
export class NpmDriver implements Driver {
  async ask(command: Command): Promise<Answer> {
    const pauses: number[] = [];
    try {
      if (command.do === 'verify') return { result: await verify(command) };
      return { result: await does[command.do](command, clientOf(command, pauses)), pauses };
    } catch (error) {
      return { error: factsOf(error as Error), pauses };
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function clientOf(given: Command, pauses: number[]): RemotePrinting {
  const ms = (seconds: number | undefined) => seconds && seconds * 1000;
  return new RemotePrinting({
    apiKey: given.api_key ?? 'svc_live_secret',
    baseUrl: given.base_url!,
    maxRetries: given.max_retries,
    timeoutMs: ms(given.timeout),
    deadlineMs: ms(given.deadline),
    pause: (pauseMs) => Promise.resolve(void pauses.push(pauseMs / 1000)),
  });
}

const jobOf = ({ job_id, status }: PrintJob) => ({ job_id, status });
const submitted = ({ job, replayed, restoredFrom }: Submitted) => ({
  ...{ ...jobOf(job), replayed },
  restored_from: restoredFrom ?? null,
});

const calls: Readonly<
  Record<string, (client: RemotePrinting, given: Record<string, string>, key?: string) => unknown>
> = {
  test: ({ printers }, { printer_id }) => printers.test(printer_id!),
  create: async ({ jobs }, { printer_id, text: data }, idempotencyKey) =>
    submitted(await jobs.create({ printer_id: printer_id!, content: text(data!) }, { idempotencyKey })),
  retry: async ({ jobs }, { job_id }, idempotencyKey) =>
    submitted(await jobs.retry(job_id!, { reason: 'paper was out' }, { idempotencyKey })),
  reprint: async ({ jobs }, { job_id }, idempotencyKey) =>
    submitted(await jobs.reprint(job_id!, {}, { idempotencyKey })),
  get: async ({ jobs }, { job_id }) => jobOf(await jobs.get(job_id!)),
  cancel: async ({ jobs }, { job_id }) => jobOf(await jobs.cancel(job_id!, { reason: 'ordered twice' })),
  list: async ({ jobs }, given) => {
    const ids: string[] = [];
    for await (const { job_id } of jobs.list(given)) ids.push(job_id);
    return ids;
  },
  wait: async ({ jobs }, { job_id, timeout }) => {
    const seen: string[] = [];
    const maxWaitMs = timeout === undefined ? undefined : Number(timeout) * 1000;
    const onChange = ({ status }: PrintJob) => void seen.push(status);
    const { outcome, job } = await jobs.waitForCompletion(job_id!, { maxWaitMs, onChange });
    return { outcome, status: job.status, seen };
  },
};

const does = {
  call: async ({ operation, arguments: given = {}, key }: Command, client: RemotePrinting) =>
    calls[operation!]!(client, given as Record<string, string>, key),

  async changes({ after, stored, follow, take }: Command, client: RemotePrinting) {
    const saved: string[] = [];
    const store = { load: () => stored ?? undefined, save: (cursor: string) => void saved.push(cursor) };
    const items: string[] = [];
    for await (const { event_id } of client.changes({ after: after ?? undefined, store, follow })) {
      items.push(event_id);
      if (items.length === take) break;
    }
    return { items, saved };
  },

  async create_many({ printer_id, count }: Command, { jobs }: RemotePrinting) {
    const job_ids: string[] = [];
    const numbers = Array.from({ length: count! }, (_, number) => number).values();
    const one = async () => {
      for (const number of numbers) {
        const content = text(`Receipt ${number}`);
        job_ids.push((await jobs.create({ printer_id: printer_id!, content })).job.job_id);
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
    return { job_ids };
  },
};

async function verify({ body, headers, secrets, tolerance, now }: Command) {
  const options = { toleranceSeconds: tolerance, now: now! * 1000 };
  const { event_type } = await verifyWebhook(Buffer.from(body!, 'base64'), headers!, secrets!, options);
  return { event_type };
}

function factsOf(error: Error): Record<string, unknown> {
  if (error instanceof TypeError) return { kind: 'argument' };
  if (error instanceof WebhookVerificationError) return { kind: 'webhook', reason: error.reason };
  if (!(error instanceof RemotePrintingError)) throw error;
  const { attempts, idempotencyKey } = error;
  const facts = {
    attempts,
    key: idempotencyKey ?? null,
    message: error.message,
    text: inspect(error, { depth: 9 }),
  };
  if (error instanceof ApiError) {
    const { status, code, retryable } = error;
    return { kind: 'api', ...facts, status, code, retryable };
  }
  return { kind: error instanceof WaitTimeoutError ? 'wait_timeout' : 'no_answer', ...facts };
}
