import { randomBytes, randomUUID } from 'node:crypto';
import { KEY_PLACE, type RequestSpec } from './load/load-spec.js';
import type { ServiceProcess } from './programs/service.js';

const SCOPES = ['account:read', 'computers:read', 'printers:read', 'jobs:read', 'jobs:create', 'jobs:cancel'];
const PARTNER_SCOPES = ['accounts:write', 'jobs:read', 'jobs:write'];
const TEXT = 'Hello, printer. '.repeat(20).slice(0, 300);

/** One customer of the measured service: an account with a key, and a computer with its printers online. */
export interface Customer {
  readonly accountId: string;
  readonly partnerId: string;
  readonly key: string;
  /** Credential of the partner that owns the account. */
  readonly partnerCredential: string;
  readonly computerId: string;
  readonly deviceCredential: string;
  readonly sessionId: string;
  readonly printerIds: readonly string[];
}

export async function call<T>(
  url: string,
  credential: string,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return (JSON.parse(text || '{"data":null}') as { data: T }).data;
}

/** Opens an account of a partner, so that both surfaces can read the same jobs. */
export async function openCustomer(service: ServiceProcess, printers = 20): Promise<Customer> {
  const { url, operatorToken } = service;
  const operate = <T>(path: string, body: object) =>
    call<T>(url, operatorToken, 'POST', `/operator${path}`, body);
  const { partner_id } = await operate<{ partner_id: string }>('/partners', { name: 'Bench' });
  const { credential } = await operate<{ credential: string }>(`/partners/${partner_id}/credentials`, {
    kind: 'live',
    scopes: PARTNER_SCOPES,
  });
  const account = { external_id: 'bench', display_name: 'Bench' };
  const provisioned = await call<{ account_id: string }>(url, credential, 'POST', '/accounts', account);
  const accountId = provisioned.account_id;
  const key = await newKey(service, accountId, SCOPES);
  const { enrollment_token } = await operate<{ enrollment_token: string }>(
    `/accounts/${accountId}/enrollments`,
    {},
  );
  const computer = await enrol(url, enrollment_token, printers);
  return { accountId, partnerId: partner_id, key, partnerCredential: credential, ...computer };
}

/** One more API key of an account. */
export async function newKey(
  { url, operatorToken }: ServiceProcess,
  accountId: string,
  scopes: readonly string[],
): Promise<string> {
  const path = `/operator/accounts/${accountId}/keys`;
  return (await call<{ api_key: string }>(url, operatorToken, 'POST', path, { scopes })).api_key;
}

/** Invites an owner of an account. Resolves to the link that signs in once. */
export async function ownersLink(
  { url, operatorToken }: ServiceProcess,
  accountId: string,
  name: string,
): Promise<string> {
  const path = `/operator/accounts/${accountId}/members`;
  const body = { name, role: 'owner' };
  return (await call<{ link: { url: string } }>(url, operatorToken, 'POST', path, body)).link.url;
}

async function enrol(url: string, enrollment_token: string, printers: number) {
  const installation_id = randomUUID();
  const { device_id: computerId, device_credential: deviceCredential } = await call<Record<string, string>>(
    url,
    'none',
    'POST',
    '/managed/enroll',
    { enrollment_token, installation_id, hostname: 'BENCH' },
  );
  const agent = <T>(method: string, path: string, body: object) =>
    call<T>(url, deviceCredential!, method, `/agent${path}`, body);
  const { session_id: sessionId } = await agent<{ session_id: string }>('POST', '/sessions', {
    installation_id,
    agent_version: '1.0.0',
    operating_system: 'Windows 11',
    hostname: 'BENCH',
    journal: [],
  });
  const { printers: known } = await agent<{ printers: { printer_id: string }[] }>('PUT', '/inventory', {
    printers: Array.from({ length: printers }, (_, n) => printer(n)),
  });
  return {
    computerId: computerId!,
    deviceCredential: deviceCredential!,
    sessionId,
    printerIds: known.map(({ printer_id }) => printer_id),
  };
}

const printer = (n: number) => ({
  printer_key: `till-${n}`,
  name: `Till ${n}`,
  is_default: n === 0,
  is_virtual: true,
  online: true,
  capabilities: { content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: ['A4'] },
});

/** createPrintJob with a document of 300 bytes, one request for each printer. */
export function creates({ key, printerIds }: Customer): RequestSpec[] {
  return printerIds.map((printerId) => createAt('/v1/svc-api-print-jobs', key, printerId));
}

/** The create request with a document of random bytes instead of its own. */
export function withDocument(request: RequestSpec, type: 'pdf' | 'raw', bytes: number): RequestSpec {
  const { printer_id } = JSON.parse(String(request.body)) as { printer_id: string };
  const document = randomBytes(bytes);
  if (type === 'pdf') document.write('%PDF-1.7\n');
  const content = { type, encoding: 'base64', data: document.toString('base64') };
  return { ...request, body: Buffer.from(JSON.stringify({ printer_id, content })) };
}

/** The same job through the Partner API. */
export function partnerCreates({ accountId, partnerCredential, printerIds }: Customer): RequestSpec[] {
  const path = `/v1/accounts/${accountId}/jobs`;
  return printerIds.map((printerId) => createAt(path, partnerCredential, printerId));
}

/** createPrintJobs: a request of `size` jobs, on all printers in turn. */
export function batch({ key, printerIds }: Customer, size: number): RequestSpec {
  const jobs = Array.from({ length: size }, (_, n) => ({
    idempotency_key: KEY_PLACE,
    ...jobFor(printerIds[n % printerIds.length]!),
  }));
  const request = post('/v1/svc-api-print-jobs/batch', key, { jobs });
  return { ...request, freshKeys: true };
}

const createAt = (path: string, credential: string, printerId: string): RequestSpec => ({
  ...post(path, credential, jobFor(printerId)),
  freshKey: true,
});

const jobFor = (printer_id: string) => ({
  printer_id,
  content: { type: 'text', encoding: 'utf8', data: TEXT },
  external_id: 'order-4711',
  title: 'Receipt 4711',
});

const post = (path: string, credential: string, body: object): RequestSpec => ({
  ...{ method: 'POST', path, body: JSON.stringify(body) },
  headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
});

export function get(key: string, path: string, headers: Record<string, string> = {}): RequestSpec {
  return { method: 'GET', path: `/v1${path}`, headers: { authorization: `Bearer ${key}`, ...headers } };
}
