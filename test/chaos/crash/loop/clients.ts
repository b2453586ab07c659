import { randomUUID } from 'node:crypto';
import type { RecordedAnswers } from '../../../kit/recorded-answers.js';
import { sha256, type World } from '../kit/world.js';
import type { Gate } from './gate.js';

/** The client's record of one create. */
export interface Created {
  readonly key: string;
  readonly hash: string;
  jobId?: string;
}

export interface Load {
  readonly world: World;
  readonly gate: Gate;
  readonly chance: () => number;
  readonly journal: Created[];
  readonly printerIds: readonly string[];
  readonly recorded?: RecordedAnswers;
}

const LARGE_BYTES = 60 * 1024;

/** Creates jobs in sequence, some large, and sometimes cancels one. */
export async function createJobs(load: Load, howMany: number): Promise<void> {
  for (let n = 0; n < howMany; n++) {
    const jobId = await create(load);
    if (load.chance() < 0.2) await cancel(load, jobId);
  }
}

async function create({ world, gate, chance, journal, printerIds, recorded }: Load): Promise<string> {
  const key = randomUUID();
  const data = `${key} `.repeat(chance() < 0.1 ? LARGE_BYTES / 37 : 1);
  const entry: Created = { key, hash: sha256(data) };
  journal.push(entry);
  const created = await gate.call('POST', '/svc-api-print-jobs', {
    as: world.seed.key,
    headers: { 'idempotency-key': key },
    json: {
      printer_id: printerIds[Math.floor(chance() * printerIds.length)],
      content: { type: 'text', encoding: 'utf8', data },
    },
  });
  if (created.status > 201) throw new Error(`not created: ${created.text}`);
  entry.jobId = String(created.body.data!.job_id);
  recorded?.add({ jobId: entry.jobId, as: world.seed.key });
  world.acknowledge(`job-${entry.jobId}`, 'JobCreated', 'JobQueued');
  return entry.jobId;
}

/** May be refused if an agent has accepted. */
async function cancel({ world, gate }: Load, jobId: string): Promise<void> {
  const path = `/svc-api-print-jobs/${jobId}/cancel`;
  const cancelled = await gate.call('POST', path, { as: world.seed.key, json: {} });
  if (cancelled.status === 200) world.acknowledge(`job-${jobId}`, 'JobCancelled');
  else if (cancelled.status !== 409) throw new Error(`not cancelled: ${cancelled.text}`);
}
