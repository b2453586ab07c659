import type { Answered } from '../../kit/http/client.js';
import type { TestService } from '../../kit/service.js';
import type { Cell } from './cells.js';
import { exchanged, ownRequest, send } from './requests.js';
import type { Tenant } from './tenant.js';

/** What came of a request: the answer, and what it left in the event store. */
export interface Outcome {
  readonly status: number;
  /** The body and the headers, without what every request has of its own. */
  readonly said: string;
  readonly written: readonly string[];
  /** Streams that were written to. */
  readonly streams: readonly string[];
  readonly answered: Answered;
}

/** Sends the tenant's own request with these values in it. */
export async function tryCell(
  service: TestService,
  { served, inputs }: Cell,
  caller: Tenant,
  values: readonly string[],
  turn: number,
): Promise<Outcome> {
  const own = await ownRequest(service, served, caller, turn);
  const asked = inputs.reduce((so, input, i) => exchanged(so, input, values[i]!), own);
  const before = await service.stores.events.head();
  const answered = await send(service, asked);
  const events = await service.stores.events.readAll({ after: before, max: 100 });
  return {
    status: answered.status,
    said: said(answered, values),
    written: events.map(({ type }) => type),
    streams: events.map(({ stream }) => stream),
    answered,
  };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const CODE = /P[CR]-[0-9A-F]{8}/g;
const SECRET = /(svc_\w+_live_\w+|whsec_[\w+/=]+)/g;

/** Shorter values stand in every answer by chance. */
const SHORTEST_ECHO = 8;

/** Ids and secrets that were made for the answer are one like another; time stands still. */
function said({ text, headers }: Answered, given: readonly string[]): string {
  const shown = [...headers].filter(
    ([name]) => !/^(x-svc-(request|correlation)-id|ratelimit-.*|date)$/.test(name),
  );
  const whole = `${text}\n${shown.map((each) => each.join(': ')).join('\n')}`;
  return given
    .filter((value) => value.length >= SHORTEST_ECHO)
    .reduce((so, value) => so.replaceAll(value, '<given>'), whole)
    .replace(UUID, '<id>')
    .replace(CODE, '<code>')
    .replace(SECRET, '<secret>')
    .replace(/"secret_version":\d+/, '"secret_version"')
    .replace(/"position":"[^"]*"/, '"position"')
    .replace(/content-length: \d+/, 'content-length');
}

/** Everything that may never be seen by another tenant. */
export function marksOf({ ids, special, partner, keys, agent, name }: Tenant): string[] {
  const named = [ids, ...Object.values(special)].flatMap((each) => Object.values(each));
  return [...new Set([...named, `Shop ${name}`, partner.credential, agent.credential, ...keys])];
}
