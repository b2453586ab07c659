import type { Answered } from '../kit/http/client.js';
import type { HistoryLine } from '../kit/job-scene.js';
import type { TestService } from '../kit/service.js';
import { createJob } from '../kit/world.js';

/** `401 API_KEY_INVALID`: status and code of a refusal. */
export const verdict = ({ status, body }: Answered) => `${status} ${body.code}`;

export const idOf = ({ body }: Answered) => String(body.data!.job_id);

export const itemsOf = ({ body }: Answered) => body.data!.items as Record<string, unknown>[];

/** Creates a job; resolves to its id. */
export async function newJob(
  service: TestService,
  key: string,
  printerId: string,
  more: object = {},
): Promise<string> {
  const created = await createJob(service, key, printerId, more);
  if (created.status !== 201) throw new Error(`no job: ${created.text}`);
  return idOf(created);
}

export async function jobOf(service: TestService, key: string, jobId: string) {
  const { body } = await service.call('GET', `/svc-api-print-jobs/${jobId}`, { as: key });
  return body.data as Record<string, unknown> & { history: HistoryLine[] };
}

export function cancel(service: TestService, key: string, jobId: string, json: object = {}) {
  return service.call('POST', `/svc-api-print-jobs/${jobId}/cancel`, { as: key, json });
}

export function retry(
  service: TestService,
  key: string,
  jobId: string,
  json: object = {},
  idempotencyKey = `retry-${jobId}`,
) {
  const headers = { 'idempotency-key': idempotencyKey };
  return service.call('POST', `/svc-api-print-jobs/${jobId}/retry`, { as: key, headers, json });
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
