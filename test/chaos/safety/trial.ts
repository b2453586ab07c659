import type { Answered } from '../../kit/http/client.js';
import type { TestService } from '../../kit/service.js';
import type { Cell } from './cells.js';
import { exchanged, ownRequest, send } from './requests.js';
import type { Tenant } from './tenant.js';

/** Result of a request: the answer, and the written streams. */
export interface Outcome {
  readonly status: number;
  /** Body and headers, without the parts that differ in every request. */
  readonly said: string;
  readonly written: readonly string[];
  /** Written streams. */
  readonly streams: readonly string[];
  readonly answered: Answered;
}

/** Sends the tenant's own request with these values. */
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

/** Shorter values occur in every answer by chance. */
const MIN_ECHO = 8;

/** Ids and secrets created for the answer are replaced by a placeholder; the clock stands still. */
function said({ text, headers }: Answered, given: readonly string[]): string {
  const shown = [...headers].filter(
    ([name]) => !/^(x-svc-(request|correlation)-id|ratelimit-.*|date)$/.test(name),
  );
  const whole = `${text}\n${shown.map((each) => each.join(': ')).join('\n')}`;
  return given
    .filter((value) => value.length >= MIN_ECHO)
    .reduce((so, value) => so.replaceAll(value, '<given>'), whole)
    .replace(UUID, '<id>')
    .replace(CODE, '<code>')
    .replace(SECRET, '<secret>')
    .replace(/"secret_version":\d+/, '"secret_version"')
    .replace(/"position":"[^"]*"/, '"position"')
    .replace(/content-length: \d+/, 'content-length');
}

/** Every value that no other tenant may see. */
export function marksOf({ ids, special, partner, keys, agent, name }: Tenant): string[] {
  const named = [ids, ...Object.values(special)].flatMap((each) => Object.values(each));
  return [...new Set([...named, `Shop ${name}`, partner.credential, agent.credential, ...keys])];
}
