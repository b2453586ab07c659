import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Parse, Work } from './command.js';
import { jsonOf, printable } from './display.js';
import { CallFailed, ownVersion } from './operator-client.js';

interface Change {
  readonly event_id: string;
  readonly event_type: string;
  readonly created_at: string;
  readonly account_id: string;
  readonly data: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Page {
  readonly items: readonly Change[];
  readonly next_cursor: string;
}

const WAIT_SECONDS = 25;
/** In an outage. */
const MAX_PAUSE_SECONDS = 8;
/** If the service says when. */
const MAX_RETRY_SECONDS = 60;
const LONGEST_TYPE = 'job.accepted_by_agent'.length;
const FORWARDED_WITHIN_MS = 10_000;

export const receiver: Parse = (text) => {
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ''))
    throw new Error('must be an address such as http://127.0.0.1:8080/hook');
  return text;
};

/** Begins at this moment, or after the cursor `after`; goes on through an outage. Ends when it is interrupted, or has shown `count` events. @throws CallFailed */
export const listen: Work = async (
  client,
  { account_id, after: begin = 'now', forward_to, count = Infinity },
  output,
) => {
  const { out, err, format, readable } = output;
  const forward = forward_to === undefined ? undefined : forwarder(String(forward_to), err);
  const ask = { method: 'GET', path: '/changes' } as const;
  let after = String(begin);
  // The first answer comes at once: until then nothing is followed, and an address may be wrong.
  let headers: { prefer: string } | undefined;
  for (let left = Number(count); left > 0;) {
    const of = account_id === undefined ? undefined : { account_id: String(account_id) };
    const query = { ...of, after, limit: `${Math.min(left, 100)}` };
    const call = () => client.call({ ...ask, query, ...(headers && { headers }) });
    const page = (await (headers ? throughOutage(call, err) : call())) as Page | undefined;
    headers = { prefer: `wait=${WAIT_SECONDS}` };
    if (!page) continue;
    for (const change of page.items) {
      await out(`${format === 'table' ? lineOf(change) : jsonOf(change, readable)}\n`);
      if (forward) err(`${change.event_type} ${change.event_id}: ${await forward(change)}\n`);
    }
    left -= page.items.length;
    after = page.next_cursor;
  }
};

/** Asks again while the service is away. @throws CallFailed for anything else */
async function throughOutage<T>(ask: () => Promise<T>, err: (text: string) => void): Promise<T> {
  for (let failed = 0; ; failed++) {
    try {
      const answer = await ask();
      if (failed > 0) err('rps: the service is back\n');
      return answer;
    } catch (error) {
      if (!(error instanceof CallFailed) || !error.isAway) throw error;
      if (failed === 0) err(`rps: ${error.message}; asking again until it is back\n`);
      const seconds = error.retrySeconds ?? Math.random() * Math.min(MAX_PAUSE_SECONDS, 2 ** failed);
      await pause(Math.min(seconds, MAX_RETRY_SECONDS) * 1_000);
    }
  }
}

function lineOf({ created_at, event_type, account_id, data }: Change): string {
  const [kind, resource] = Object.entries(data)[0]!;
  const { name, title, [`${kind}_id`]: id } = resource;
  return printable(
    `${created_at}  ${event_type.padEnd(LONGEST_TYPE)}  ${account_id}  ${String(id)}  ${String(name ?? title ?? '')}`.trimEnd(),
  );
}

/** Posts an event signed as a webhook (docs/webhooks.md); resolves to what the receiver answered. */
function forwarder(url: string, err: (text: string) => void): (change: Change) => Promise<string> {
  const secret = `whsec_live_${randomBytes(32).toString('base64url')}`;
  err(`forwarding to ${url}, signed with ${secret}\n`);
  return async (change) => {
    const body = JSON.stringify(change);
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: signed(change, body, secret),
      body,
      signal: AbortSignal.timeout(FORWARDED_WITHIN_MS),
    }).catch((error: Error) => error);
    if (!(response instanceof Error)) return String(response.status);
    const cause: unknown = response.cause ?? response;
    return cause instanceof Error ? cause.message : 'no answer';
  };
}

function signed({ event_id, event_type }: Change, body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const version = ownVersion() ?? '0';
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest();
  return {
    'content-type': 'application/json',
    'user-agent': `svc-webhooks/${version}`,
    'x-svc-event': event_type,
    'x-svc-event-id': event_id,
    'x-svc-delivery-id': randomUUID(),
    'x-svc-timestamp': timestamp,
    'x-svc-version': version,
    'x-svc-api-version': 'v1',
    'x-svc-event-schema-version': 'v1',
    'x-svc-secret-version': '1',
    'x-svc-signature': `v1=${mac([timestamp, event_id, version, 'v1', 'v1', body].join('.')).toString('hex')}`,
    'webhook-id': event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac(`${event_id}.${timestamp}.${body}`).toString('base64')}`,
  };
}
