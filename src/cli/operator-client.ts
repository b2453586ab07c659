import { existsSync, readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { printable } from './display.js';

export class CallFailed extends Error {
  constructor(
    message: string,
    readonly next: string,
    readonly code?: string,
    /** From Retry-After: when the same request may succeed. */
    readonly retrySeconds?: number,
    /** The service is away for now: the same request may succeed later. */
    readonly isAway = false,
  ) {
    // It may quote what clients, Agents or another program wrote.
    super(printable(message));
  }
}

/** The command line itself is wrong, whatever the service answers. */
export class UsageFailed extends CallFailed {}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Of an operation of the Integration API; absent: one of operators. */
  readonly account?: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const NOT_MODIFIED = 304;
/** Statuses of a proxy whose service is away. */
const PROXY = new Set([408, 429, 502, 503, 504]);

export class OperatorClient {
  /** Requests so far. */
  sent = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Resolves to `data`, or to undefined for a 304. @throws CallFailed */
  async call(call: Call): Promise<unknown> {
    const response = await this.send(call);
    if (response.status === NOT_MODIFIED) return undefined;
    const text = await response.text().catch((error: Error) => {
      throw this.unreachable(error);
    });
    const envelope = parsed(text) as { code?: string; data?: unknown } | undefined;
    if (envelope?.code === undefined) throw this.foreign(response.status, text);
    return envelope.data;
  }

  /** Resolves to an answer without envelope. @throws CallFailed */
  async download(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.send({ method: 'GET', path })).arrayBuffer());
  }

  /** Resolves to an answer without envelope, to be read piece by piece. @throws CallFailed */
  async open(path: string, query: Readonly<Record<string, string>>): Promise<ReadableStream<Uint8Array>> {
    return (await this.send({ method: 'GET', path, query })).body!;
  }

  private async send({ method, path, account, query, headers, body }: Call): Promise<Response> {
    const target = new URL(`${this.url}${account === undefined ? '/operator' : ''}${path}`);
    for (const [key, value] of Object.entries(query ?? {})) target.searchParams.set(key, value);
    this.sent++;
    const response = await fetch(target, {
      method,
      redirect: 'error',
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(account !== undefined && { 'x-svc-account': account }),
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw this.unreachable(error);
    });
    if (!response.ok && response.status !== NOT_MODIFIED) throw this.refusal(response, await response.text());
    return response;
  }

  private unreachable(error: Error): CallFailed {
    const reason = error.cause instanceof Error && error.cause.message;
    const remedy = connectionRemedy(error.cause ?? error, this.url);
    const message = `${new URL(this.url).origin} cannot be reached: ${reason || error.message}`;
    return new CallFailed(message, remedy, undefined, undefined, true);
  }

  private refusal({ status, headers }: Response, text: string): CallFailed {
    const { code, message, request_id } = (parsed(text) ?? {}) as Record<string, string | undefined>;
    if (!code) return this.foreign(status, text);
    return new CallFailed(
      `${code} (${status}): ${message}${request_id ? ` [request ${request_id}]` : ''}`,
      releaseRemedy(code, headers.get('x-svc-version')) ?? remedyOf(code),
      code,
      Number(headers.get('retry-after')) || undefined,
      status === 429 || status === 503,
    );
  }

  private foreign(status: number, text: string): CallFailed {
    return new CallFailed(
      `answered ${status}, and not as the operator surface does: ${text.slice(0, 200)}`,
      `Check --url: a proxy or another program answers at ${this.url}.`,
      undefined,
      undefined,
      PROXY.has(status),
    );
  }
}

/** For an unknown route if service and rps are of different releases. */
function releaseRemedy(code: string, service: string | null): string | undefined {
  const own = ownVersion();
  const lacking = code === 'ROUTE_NOT_FOUND' || code === 'METHOD_NOT_ALLOWED';
  if (!lacking || service === null || own === undefined || service === own) return undefined;
  return `The service is release ${service}, rps is ${own}: use the rps of the service's release.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Adds `/v1` if it is missing. @throws InvalidArgumentError unless an http(s) address */
export function apiAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidArgumentError('must be an address such as http://127.0.0.1:3000');
  const segments = url.pathname.split('/').filter(Boolean);
  if (segments.at(-1) !== 'v1') segments.push('v1');
  return [url.origin, ...segments].join('/');
}

const ALL_ADDRESSES: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function localAddress(host: string, port: string): string {
  const name = ALL_ADDRESSES[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/v1`;
}

/** Relative to src/cli and dist/src/cli. */
const PACKAGE_FILES = ['../../package.json', '../../../package.json'];

export function ownVersion(): string | undefined {
  const file = PACKAGE_FILES.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  return file && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

export const remedies: Readonly<Record<string, string>> = {
  INVALID_REQUEST: '`rps COMMAND --help` shows what the command takes.',
  CREDENTIAL_INVALID:
    'Give the operator token of this service with --token, or its data folder with --data-dir.',
  SCOPE_REQUIRED: 'Give the operator token of this service with --token.',
  ROUTE_NOT_FOUND: 'Check --url; the service may also be of an older release than rps.',
  METHOD_NOT_ALLOWED: 'Check --url; the service may also be of an older release than rps.',
  REQUEST_TIMEOUT: 'Check the connection to the service, then repeat the command.',
  HEADERS_TOO_LARGE: 'A proxy may have added headers: give --url the address of the service itself.',
  CONTENT_TOO_LARGE:
    'The limit is that of the account: raise it with `rps account plan ID --max-content-bytes N`.',
  PAYLOAD_TOO_LARGE: 'The service takes at most 16 MiB in one request; send less at once.',
  UNSUPPORTED_MEDIA_TYPE:
    'A proxy may have changed the request: give --url the address of the service itself.',
  RATE_LIMIT_EXCEEDED: 'Wait a minute, then repeat the command.',
  INTERNAL_ERROR: "Look for the request id in the service's log.",
  UNAVAILABLE:
    'Check /health/ready and `rps doctor`, then repeat the command; after a create, look with `list` first.',
  ACCOUNT_NOT_FOUND: '`rps account list` shows all accounts.',
  KEY_NOT_FOUND: '`rps key list --account ID` shows the keys of an account.',
  PARTNER_NOT_FOUND: '`rps partner list` shows all partners.',
  CREDENTIAL_NOT_FOUND: '`rps partner credential` shows the id when it makes a credential.',
  COMPUTER_NOT_FOUND: '`rps job show ID` names the computer of a job.',
  PRINTER_NOT_FOUND: '`rps computer show ID` shows the printers of a computer.',
  PRINTER_NOT_READY: '`rps computer show ID` shows whether computer and printer are online.',
  CONTENT_TYPE_NOT_SUPPORTED: 'Choose another printer: this one does not take such documents.',
  AGENT_TOO_OLD: 'Update the Agent of the computer, or leave out the options.',
  OPTION_NOT_SUPPORTED: 'Choose an allowed value, or print without it: --unsupported ignore.',
  SVC_VIRTUAL_PRINTERS_ONLY:
    'The account was created with --virtual-printers-only: choose a virtual printer.',
  SVC_IDEMPOTENCY_CONFLICT: 'Choose another --idempotency-key: this one belongs to another job.',
  PLAN_LIMIT_REACHED: 'Raise the plan: `rps account plan ID --jobs-per-month N`.',
  NOT_PUBLISHED_YET: 'Run `rps evidence publish`, then repeat the command.',
  EVENT_DAMAGED: '`rps evidence audit` names all of them; put the event back from a backup.',
  HISTORY_CHANGED: 'Begin again: `rps listen` starts at this moment.',
  STREAM_NOT_FOUND: '`rps events all` names every stream; the stream of a job is job-<its id>.',
  VIEW_NOT_FOUND: '`rps views list` shows all read models.',
  JOB_NOT_FOUND: '`rps job list` shows the newest jobs of all accounts.',
  CONTENT_NOT_FOUND: '`rps job show ID` shows whether the job may still be printed.',
  CONTENT_DAMAGED:
    'The stored document differs from its hash: `rps doctor` lists damaged documents; restore a backup.',
  MEMBER_NOT_FOUND: '`rps member list --account ID` shows the members of an account.',
  NAME_TAKEN: 'Choose another --name: a name is never given to a second person.',
  LAST_OWNER: 'Make another member an owner first: `rps member role ID owner`.',
  MEMBER_LIMIT_REACHED: 'An account has at most 100 members: remove one first.',
  SLUG_TAKEN: 'Choose another --slug or --name.',
  ACCOUNT_CLOSED: 'Closing is final: open another account with `rps account create`.',
  STATE_CONFLICT: '`rps computer show ID` and `rps job show ID` show the current status.',
  WORKER_RUNNING: 'Stop the workers, and import through an instance started with ROLE=api.',
  STREAM_DIFFERS: 'Import into new stores, or into stores that only this import has filled.',
  CONTENT_MISMATCH: 'Export the document again with `rps contents export DIR`.',
};

/** Of codes that only the Integration API has. */
const remediesInAccount: Readonly<Record<string, string>> = {
  API_KEY_INVALID: 'Check --token, and with `rps account get ID` that the account is not closed.',
  SVC_ACCOUNT_SUSPENDED: '`rps account resume ID` ends the suspension.',
  SVC_PUBLIC_API_DISABLED: '`rps account environment ID on` switches the API of the account on.',
  SVC_JOB_STATE_CONFLICT: '`rps job show ID` shows can_cancel and can_retry.',
  SVC_JOB_RETRY_DUPLICATION_RISK: 'Look at the printer first; `rps job reprint ID` prints in any case.',
  SVC_WEBHOOK_NOT_FOUND: '`rps webhook list --account ID` shows the webhooks of an account.',
  SVC_WEBHOOK_PAUSED: '`rps webhook resume ID --account ID` makes it active.',
};

/** The operator surface has most codes of the Integration API without their prefix. */
const remedyOf = (code: string) =>
  remediesInAccount[code] ??
  remedies[code] ??
  remedies[code.replace(/^SVC_/, '')] ??
  'docs/reference/errors.md says what to do.';

/** By the error code of the system or of Node's TLS. */
export function connectionRemedy(cause: unknown, url: string): string {
  const { code = '', message = '' } = (cause ?? {}) as { code?: string; message?: string };
  if (code === 'ECONNREFUSED')
    return `Start the service (npm start), or give its address with --url; the address was ${url}.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `Check the host name in --url; the address was ${url}.`;
  if (/CERT|SIGNATURE|ISSUER/.test(code))
    return 'Name the certificate authority of the service with NODE_EXTRA_CA_CERTS=/path/ca.crt.';
  if (message.includes('redirect')) return 'Give --url the address that this one redirects to.';
  return `Check that the service runs and that --url is right; the address was ${url}.`;
}
