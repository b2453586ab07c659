import { randomUUID } from 'node:crypto';
import type { Answered } from '../../kit/http/client.js';
import type { TestService } from '../../kit/service.js';
import { idInputs, type IdInput } from './id-inputs.js';
import type { Served } from './served.js';
import { tokenOf, type Ids, type Tenant } from './tenant.js';

type Json = Record<string | number, unknown>;

/** A request of a tenant with replaceable inputs. */
export interface Asked {
  readonly served: Served;
  readonly as: string | undefined;
  readonly params: Ids;
  readonly query: Ids;
  readonly headers: Ids;
  readonly body: object | undefined;
}

/** Values for an operation when the tenant means its own. */
export const idsFor = ({ id }: Served, tenant: Tenant): Ids => ({ ...tenant.ids, ...tenant.special[id] });

/** Affects a session or an inventory: sent for the computer without jobs. */
const OF_THE_SPARE = new Set(['startSession', 'putInventory']);

/** Values that an example cannot contain. */
const BODIES: Readonly<Record<string, (tenant: Tenant) => object>> = {
  acceptJob: ({ contentHash }) => ({ content_hash: contentHash }),
  leaseJobs: () => ({ wait_seconds: 0 }),
  createPrintJobs: jobOf,
  createJobs: jobOf,
  createWebhook: () => ({ event_types: ['webhook.test'] }),
  updateWebhook: () => ({ event_types: ['webhook.test'] }),
};

function jobOf({ ids }: Tenant) {
  const content = { type: 'text', encoding: 'utf8', data: 'One of many' };
  return { jobs: [{ idempotency_key: randomUUID(), printer_id: ids.printer_id, content }] };
}

/** Parameters of a path that name nothing. */
const PLACES: Readonly<Record<string, Ids>> = { getLogTile: { level: '0', rest: '000.p/1' } };

/** The tenant's credential for an operation; alternates between two keys. */
function credentialOf({ surface, id, operation }: Served, tenant: Tenant, turn: number): string | undefined {
  if (operation.security.length === 0) return undefined;
  if (surface === 'integration') return tenant.keys[turn % 2];
  if (surface === 'partner') return tenant.partner.credential;
  return (OF_THE_SPARE.has(id) ? tenant.spare : tenant.agent).credential;
}

/**
 * The operation's own example with the tenant's values. Values for single use are new: idempotency keys,
 * enrolment tokens, installations, external ids of accounts, URLs of new webhooks.
 */
export async function ownRequest(
  service: TestService,
  served: Served,
  tenant: Tenant,
  turn = 0,
): Promise<Asked> {
  const fresh: Record<string, string> = { 'Idempotency-Key': randomUUID(), start_id: randomUUID() };
  if (served.id === 'enrollDevice') {
    fresh.enrollment_token = await tokenOf(service, tenant.accountId);
    fresh.installation_id = randomUUID();
  }
  if (served.id === 'createWebhook') fresh.url = `http://127.0.0.1:9/${randomUUID()}`;
  const ids = { ...idsFor(served, tenant), ...fresh };
  const { requestBody, parameters } = served.operation;
  const example = requestBody?.content['application/json']?.example as object | undefined;
  const body = example && { ...structuredClone(example), ...BODIES[served.id]?.(tenant) };
  const params = PLACES[served.id] ?? {};
  const asked = { served, as: credentialOf(served, tenant, turn), params, query: {}, headers: {}, body };
  const required = idInputs(served).filter(
    (input) => input.in === 'path' || (input.in === 'header' && isRequired(parameters, input.name)),
  );
  const written = idInputs(served).filter((input) => input.in === 'body' && isIn(body, input.at));
  return [...required, ...written].reduce<Asked>(
    (so, input) => exchanged(so, input, ids[input.name]!),
    asked,
  );
}

const isRequired = (parameters: readonly object[], name: string) =>
  parameters.some(
    (each) => 'required' in each && each.required === true && 'name' in each && each.name === name,
  );

const isIn = (body: object | undefined, at: IdInput['at']) =>
  at.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], body) !== undefined;

/** The same request with another value of one input. */
export function exchanged(asked: Asked, input: IdInput, value: string): Asked {
  const { name } = input;
  if (value === undefined) throw new Error(`${asked.served.id}: nothing is known to be a ${name}`);
  switch (input.in) {
    case 'path':
      return { ...asked, params: { ...asked.params, [name]: value } };
    case 'query':
      return { ...asked, query: { ...asked.query, [name]: value } };
    case 'header':
      return { ...asked, headers: { ...asked.headers, [name]: value } };
    case 'body':
      return { ...asked, body: written(asked.body, input.at, value) };
  }
}

function written(body: object | undefined, at: IdInput['at'], value: string): object {
  const copy = structuredClone(body ?? {}) as Json;
  const place = at.slice(0, -1).reduce<Json>((inner, step) => inner[step] as Json, copy);
  if (!place) throw new Error(`the example has no ${at.join('.')}`);
  place[at.at(-1)!] = value;
  return copy;
}

export function pathOf({ served, params, query }: Asked): string {
  const path = served.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const text = new URLSearchParams(query).toString();
  return text ? `${path}?${text}` : path;
}

export function send(service: TestService, asked: Asked): Promise<Answered> {
  const { as, headers, body } = asked;
  return service.call(asked.served.method, pathOf(asked), { as, headers, ...(body && { json: body }) });
}
