import {
  operations as integration,
  type Operations as IntegrationOperations,
} from '../../sdk/src/generated/integration.js';
import {
  operations as operator,
  type Operations as OperatorOperations,
} from '../../sdk/src/generated/operator.js';
import { operations as own, type Operations as PanelOperations } from '../../sdk/src/generated/panel.js';
import { connection } from './connection.js';

type Operations = IntegrationOperations & PanelOperations & OperatorOperations;
export type OperationName = keyof Operations;
export type DataOf<N extends OperationName> = Operations[N]['data'];

const ROWS = { ...integration, ...operator, ...own };

export interface Call<N extends OperationName> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Operations[N]['query'];
  readonly body?: Operations[N]['body'];
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** An answer of the service that is no success, or no answer at all. */
export class CallError extends Error {
  constructor(
    message: string,
    /** 0 if no answer came. */
    readonly status: number,
    readonly code: string,
    readonly requestId: string | undefined,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }
}

/** Called when the service no longer knows the session. */
let onSignedOut: () => void = () => undefined;

export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** Address below /v1, which also works behind a proxy with a path prefix. */
export function addressOf(path: string): string {
  return new URL(`../v1${path}`, document.baseURI).href;
}

/** A package of the Agent that this service offers for download. */
export interface AgentPackage {
  readonly name: string;
  readonly bytes: number;
  readonly url: string;
}

export async function agentPackages(): Promise<readonly AgentPackage[]> {
  const folder = new URL('agent/', document.baseURI).href;
  const answer = await send(folder, {});
  if (!answer.ok) return [];
  const listed = (await answer.json()) as readonly Omit<AgentPackage, 'url'>[];
  return listed.map((each) => ({ ...each, url: folder + each.name }));
}

/** Calls an operation of the Integration API or of the panel with the session of this browser. @throws CallError */
export async function call<N extends OperationName>(name: N, given: Call<N> = {}): Promise<DataOf<N>> {
  const { method, path } = ROWS[name];
  const { body, idempotencyKey, signal } = given;
  const answer = await send(addressOf(fill(path, given.params) + search(given.query)), {
    method,
    credentials: 'same-origin',
    headers: {
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
    ...(signal && { signal }),
  });
  const json = (await answer.json().catch(() => ({}))) as { data?: unknown };
  if (answer.ok) return json.data as DataOf<N>;
  const error = errorOf(answer, json);
  if (error.status === 401 && error.code !== 'SIGN_IN_REFUSED') onSignedOut();
  throw error;
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(address, init);
    connection.heard(answer.status);
    return answer;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    connection.doubt();
    throw new CallError('The service does not answer.', 0, 'NO_ANSWER', undefined, undefined);
  }
}

function errorOf(answer: Response, json: object): CallError {
  const { code = `HTTP_${answer.status}`, message, request_id } = json as Record<string, string | undefined>;
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return new CallError(
    message ?? `The service answered ${answer.status}.`,
    answer.status,
    code,
    request_id ?? answer.headers.get('x-svc-request-id') ?? undefined,
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}

const fill = (path: string, params: Readonly<Record<string, string>> = {}) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

function search(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}
