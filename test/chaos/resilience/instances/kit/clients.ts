import { randomUUID } from 'node:crypto';
import { createJob } from '../../../../kit/world.js';
import type { Fleet } from './fleet.js';
import { pause } from '../../../../kit/polling.js';

const CANCELS = 0.12;
/** How often an impatient client sends the same request to two instances at once. */
const TWICE = 0.2;

export interface Customer {
  readonly key: string;
  readonly printerIds: readonly string[];
}

/** Job by idempotency key, from the answers to clients. */
export type Journal = Map<string, string>;

export interface Pace {
  readonly chance: () => number;
  readonly enough: () => boolean;
  readonly pauseMs: number;
}

/** Creates jobs in sequence until stopped, and sometimes cancels one. */
export async function createJobs(
  fleet: Fleet,
  { key, printerIds }: Customer,
  journal: Journal,
  { chance, enough, pauseMs }: Pace,
): Promise<void> {
  while (!enough()) {
    const idempotencyKey = randomUUID();
    const printerId = printerIds[Math.floor(chance() * printerIds.length)]!;
    const content = { type: 'text', encoding: 'utf8', data: `Job ${idempotencyKey}` };
    const once = () => createJob(fleet, key, printerId, { content }, idempotencyKey);
    const answers = await Promise.all(chance() < TWICE ? [once(), once()] : [once()]);
    const bad = answers.find(({ status }) => status > 201);
    if (bad) throw new Error(`a create was answered ${bad.status}: ${bad.text}`);
    const [jobId, ...others] = new Set(answers.map(({ body }) => String(body.data!.job_id)));
    if (others.length > 0) throw new Error(`${idempotencyKey} got ${jobId} and ${others[0]}`);
    journal.set(idempotencyKey, jobId!);
    if (chance() < CANCELS) await cancel(fleet, key, jobId!);
    if (pauseMs > 0) await pause(pauseMs);
  }
}

/** May be refused if an agent has accepted, or after its own lost answer. */
async function cancel(fleet: Fleet, key: string, jobId: string): Promise<void> {
  const { status, text } = await fleet.call('POST', `/svc-api-print-jobs/${jobId}/cancel`, {
    as: key,
    json: {},
  });
  if (status !== 200 && status !== 409) throw new Error(`a cancel was answered ${status}: ${text}`);
}
