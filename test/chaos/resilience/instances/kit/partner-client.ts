import { randomUUID } from 'node:crypto';
import type { TestPartner } from '../../../../kit/partner.js';
import type { Customer, Journal } from './clients.js';
import { until } from '../../../../kit/polling.js';

const WAIT_SECONDS = 2;
const PRINTED_MS = 180_000;

/** Creates a job, polls it with `Prefer: wait` until it is printed, and repeats. */
export async function printAndPoll(
  partner: TestPartner,
  accountId: string,
  { printerIds: [printerId] }: Pick<Customer, 'printerIds'>,
  journal: Journal,
  enough: () => boolean,
): Promise<void> {
  while (!enough()) {
    const key = randomUUID();
    const { status, text, body } = await partner.print(accountId, printerId!, {}, key);
    if (status > 201) throw new Error(`the partner's create was answered ${status}: ${text}`);
    const jobId = String(body.data!.job_id);
    journal.set(key, jobId);
    await untilPrinted(partner, `/accounts/${accountId}/jobs/${jobId}`);
  }
}

async function untilPrinted(partner: TestPartner, path: string): Promise<void> {
  let etag: string | undefined;
  let shown: unknown;
  const what = () => `${path} to be printed, not ${JSON.stringify(shown)}`;
  await until(what, PRINTED_MS, async () => {
    const headers = { ...(etag && { 'if-none-match': etag, prefer: `wait=${WAIT_SECONDS}` }) };
    const { status, text, body, headers: answered } = await partner.call('GET', path, { headers });
    if (status === 304) return undefined;
    if (status !== 200) throw new Error(`a poll was answered ${status}: ${text}`);
    etag = answered.get('etag') ?? undefined;
    shown = body.data;
    return body.data!.status === 'printed' ? true : undefined;
  });
}
