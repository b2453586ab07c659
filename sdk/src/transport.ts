import { ApiError, apiError, ConnectionError, TimeoutError, type ErrorBody, type Tried } from './errors.js';
import { retryDelayMs, sleep } from './pauses.js';

/** Options of both clients. */
export interface TransportOptions {
  /** Address of the service, with or without /v1. */
  readonly baseUrl: string;
  /** Time limit of one attempt in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** Time limit of a call with its repeats, or of a wait, in milliseconds; default none. */
  readonly deadlineMs?: number;
  /** Repeats of a call that may be repeated; default 3. */
  readonly maxRetries?: number;
  /** For tests. */
  readonly fetch?: typeof fetch;
  /** For tests: waits before a repeat. */
  readonly pause?: typeof sleep;
}

/** Options of each call. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Returned in the answer and in logs of the service: 8 to 128 of A-Z a-z 0-9 . _ : - */
  readonly correlationId?: string;
}

/** Options of `jobs.create` and `jobs.retry`. */
export interface KeyedOptions extends CallOptions {
  /** Default: a new UUID. The same key with the same request makes one job only. */
  readonly idempotencyKey?: string;
}

export interface Row {
  readonly method: string;
  readonly path: string;
  readonly keyed: boolean;
}

export interface Call extends KeyedOptions {
  /** Values of the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** A write whose repeat changes nothing more. Reads and calls with an idempotency key need no mark. */
  readonly repeatable?: boolean;
  readonly timeoutMs?: number;
  /** Default: that of the client. */
  readonly deadlineMs?: number;
  /** Repeats for so long, also more often than `maxRetries`. */
  readonly patienceMs?: number;
}

export interface Reply<Data> {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined for a 304. */
  readonly data: Data;
  readonly attempts: number;
}

const RETRY_AFTER_LIMIT_MS = 60_000;
/** Statuses of a proxy that has no answer of the service. */
const PROXY = new Set([408, 502, 503, 504]);

/** What an attempt came to: an answer, or an error and whether another attempt may follow. */
type Outcome<Data> =
  | { readonly reply: Reply<Data> }
  | { readonly error: Error; readonly again: boolean; readonly retryAfterMs: number };

/** Sends requests and repeats them where no second effect can come of it. */
export class Transport {
  readonly #credential: string;
  readonly #base: string;
  readonly #options: TransportOptions;

  constructor(credential: string, options: TransportOptions) {
    if ('document' in globalThis)
      throw new TypeError('keys must stay on a backend: do not use this in a page');
    // An error about a malformed header would repeat it.
    if (!/^[\x21-\x7e]+$/.test(credential)) throw new TypeError('the credential must be printable ASCII');
    this.#credential = credential;
    this.#base = options.baseUrl.replace(/(\/v1)?\/?$/, '/v1');
    this.#options = options;
  }

  async call<Data>(row: Row, call: Call = {}): Promise<Reply<Data>> {
    const idempotencyKey = row.keyed ? (call.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const { maxRetries = 3 } = this.#options;
    const { patienceMs = 0, deadlineMs = this.deadlineMs } = call;
    const begun = performance.now();
    const end = begun + deadlineMs;
    for (let attempts = 1; ; attempts++) {
      call.signal?.throwIfAborted();
      const outcome = await this.#attempt<Data>(row, call, end, { attempts, idempotencyKey });
      if ('reply' in outcome) return outcome.reply;
      const { error, again, retryAfterMs } = outcome;
      const isPatient = performance.now() - begun < patienceMs;
      const pauseMs = pauseBefore(attempts, retryAfterMs, isPatient);
      const isLate = performance.now() + pauseMs >= end;
      if (!again || isLate || (attempts > maxRetries && !isPatient)) throw error;
      await this.pause(pauseMs, call.signal);
    }
  }

  get deadlineMs(): number {
    return this.#options.deadlineMs ?? Infinity;
  }

  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return (this.#options.pause ?? sleep)(ms, signal);
  }

  async #attempt<Data>(row: Row, call: Call, end: number, tried: Tried): Promise<Outcome<Data>> {
    const safe = row.method === 'GET' || row.keyed || call.repeatable === true;
    const limitMs = Math.min(call.timeoutMs ?? this.#options.timeoutMs ?? 30_000, end - performance.now());
    const late = AbortSignal.timeout(Math.max(1, Math.ceil(limitMs)));
    const signal = call.signal ? AbortSignal.any([call.signal, late]) : late;
    const [url, init] = this.#requestOf(row, call, tried.idempotencyKey);
    let response: Response;
    let text: string;
    try {
      response = await (this.#options.fetch ?? fetch)(url, { ...init, signal });
      text = await response.text();
    } catch (cause) {
      call.signal?.throwIfAborted();
      const error = late.aborted
        ? new TimeoutError(`${row.method} ${row.path} was not answered in time`, tried)
        : new ConnectionError(`${row.method} ${row.path} was not answered${reasonOf(cause)}`, tried, {
            cause,
          });
      return { error, again: safe, retryAfterMs: 0 };
    }
    return judged<Data>(row, response, text, safe, tried);
  }

  /** @throws TypeError for a header that cannot be sent */
  #requestOf({ method, path, keyed }: Row, call: Call, key: string | undefined): [string, RequestInit] {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(call.params?.[name] ?? ''),
    );
    const query = new URLSearchParams(
      Object.entries(call.query ?? {})
        .filter(([, value]) => value !== undefined)
        .map(([name, value]): [string, string] => [name, String(value)]),
    );
    const headers = new Headers({
      authorization: `Bearer ${this.#credential}`,
      accept: 'application/json',
      ...(call.body && { 'content-type': 'application/json' }),
      ...(call.correlationId && { 'x-correlation-id': call.correlationId }),
      ...(keyed && { 'idempotency-key': key! }),
      ...call.headers,
    });
    const init = { method, headers, ...(call.body && { body: JSON.stringify(call.body) }) };
    // Another host must not receive the credential.
    return [`${this.#base}${filled}${query.size > 0 ? `?${query}` : ''}`, { ...init, redirect: 'manual' }];
  }
}

/** Of the system or of TLS: it holds no credential. */
function reasonOf(cause: unknown): string {
  const { message, code } = ((cause as Error).cause ?? {}) as NodeJS.ErrnoException;
  return message || code ? ` (${message || code})` : '';
}

/** Infinite if the service asks for too long a wait. */
function pauseBefore(attempts: number, retryAfterMs: number, isPatient: boolean): number {
  const wantedMs = Math.max(retryAfterMs, retryDelayMs(attempts));
  if (wantedMs <= RETRY_AFTER_LIMIT_MS) return wantedMs;
  return isPatient ? RETRY_AFTER_LIMIT_MS : Infinity;
}

/** What follows from an answer (docs/sdk.md, "Retries"). */
function judged<Data>(
  { method, path }: Row,
  response: Response,
  text: string,
  safe: boolean,
  tried: Tried,
): Outcome<Data> {
  const { status, headers } = response;
  const body = parsed(text);
  const reply = { status, headers, data: body?.data as Data, attempts: tried.attempts };
  if (status === 304 || (status < 300 && body !== undefined)) return { reply };
  if (status < 300 || !isErrorBody(body)) {
    const why = status < 300 ? 'an answer that was cut' : `status ${status} without a body of the service`;
    const error = new ConnectionError(`${method} ${path} had ${why}`, tried);
    const again = status === 429 || (safe && (status < 300 || PROXY.has(status)));
    return { error, again, retryAfterMs: retryAfterOf(headers) };
  }
  const error: ApiError = apiError(status, body, tried);
  const again = status === 429 ? true : status === 503 && body.retryable && safe;
  return { error, again: again && body.retryable, retryAfterMs: retryAfterOf(headers) };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { code, retryable } = (body ?? {}) as Partial<ErrorBody>;
  return typeof code === 'string' && typeof retryable === 'boolean';
}

/** Seconds, or a date. */
function retryAfterOf(headers: Headers): number {
  const given = headers.get('retry-after');
  if (given === null) return 0;
  const seconds = Number(given);
  const ms = Number.isNaN(seconds) ? Date.parse(given) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
