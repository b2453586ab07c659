import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { EnvHttpProxyAgent, request } from 'undici';
import { backoffMs, retryAfterMs, type BackoffLimits } from './backoff.js';

/** The service rejected the request; a repeat would be rejected too. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(`${status} ${code}: ${message}`);
    this.name = 'Refused';
  }

  /** True if the service will reject every request: the credential is void, or a newer session took over. */
  get endsTheAgent(): boolean {
    return this.status === 401 || this.code === 'SESSION_REPLACED';
  }
}

/** No usable answer: the outcome of the request is unknown. */
class Unanswered extends Error {
  constructor(
    message: string,
    readonly waitMs?: number,
  ) {
    super(message);
    this.name = 'Unanswered';
  }
}

/** Where the service is, and the way there. */
export interface ServiceAddress {
  readonly url: string;
  readonly proxy: ProxySettings;
}

/** URLs of proxies, empty for none. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  /** Hosts that are reached without a proxy, separated by commas. */
  readonly noProxy: string;
}

/** The secrets with which this computer may call. */
export interface CallerCredentials {
  readonly current: string;
  /** After a 401: true if another one may work. */
  refuse(secret: string): boolean;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: unknown;
  signal?: AbortSignal;
  /** Limit for the first byte of the answer; long polls need a longer one. */
  timeoutMs?: number;
  /** Of the job that the call is about. */
  traceparent?: string | undefined;
}

interface Answer {
  status: number;
  retryAfter?: string;
  body: Buffer;
}

const MAX_RETRY_AFTER_MS = 300_000;

/**
 * HTTP client of the service. Retries network errors, 408, 429, 5xx and answers that are not from the service (the web
 * page of a gateway) until the caller's signal aborts, which is safe because every call of the protocol is idempotent.
 * Throws `Refused` for any other error of the service.
 */
export class HttpCaller {
  private readonly connections: EnvHttpProxyAgent;
  private readonly baseUrl: string;

  constructor(
    { url, proxy }: ServiceAddress,
    private readonly credentials: CallerCredentials | undefined,
    private readonly log: Logger,
    private readonly limits: BackoffLimits = { firstMs: 200, longestMs: 10_000 },
  ) {
    this.baseUrl = url;
    this.connections = new EnvHttpProxyAgent({
      connections: 16,
      // No TCP keep-alive: it would begin after 60 s, longer than any poll waits, and Wine 8 refuses it.
      connect: { timeout: 10_000, keepAlive: false },
      ...proxy,
    });
  }

  /** Resolves to `data` of the answer; undefined for 204. */
  data<T>(call: Call): Promise<T | undefined> {
    return this.retried(call, ({ status, body }) => (status === 204 ? undefined : dataOf<T>(body)));
  }

  bytes(call: Call): Promise<Buffer> {
    return this.retried(call, ({ body }) => body);
  }

  async close(): Promise<void> {
    await this.connections.destroy();
  }

  private async retried<T>(call: Call, read: (answer: Answer) => T): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return read(await this.once(call));
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        call.signal?.throwIfAborted();
        const waitMs = Math.max(error.waitMs ?? 0, backoffMs(attempt, this.limits, Math.random));
        this.log.warn(
          { call: `${call.method} ${call.path}`, attempt, waitMs, reason: error.message },
          'no answer',
        );
        await pause(waitMs, undefined, { signal: call.signal });
      }
    }
  }

  private async once(call: Call): Promise<Answer> {
    const secret = this.credentials?.current;
    const answer = await this.exchange(call, secret);
    const { status, retryAfter, body } = answer;
    if (status >= 200 && status < 300) return answer;
    if (status === 408 || status === 429 || status >= 500) {
      const waitMs = retryAfterMs(retryAfter, Date.now());
      throw new Unanswered(`HTTP ${status}`, waitMs && Math.min(waitMs, MAX_RETRY_AFTER_MS));
    }
    const { code, message } = envelope(body) ?? {};
    if (typeof code !== 'string') throw new Unanswered(`HTTP ${status} without an error code of the service`);
    if (status === 401 && secret !== undefined && this.credentials?.refuse(secret)) return this.once(call);
    throw new Refused(status, code, String(message ?? ''));
  }

  private async exchange(call: Call, secret: string | undefined): Promise<Answer> {
    const timeoutMs = call.timeoutMs ?? 30_000;
    try {
      const answer = await request(`${this.baseUrl}${call.path}`, {
        method: call.method,
        headers: {
          ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
          ...(call.traceparent !== undefined && { traceparent: call.traceparent }),
        },
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
        signal: call.signal,
        headersTimeout: timeoutMs,
        bodyTimeout: 30_000,
        dispatcher: this.connections,
      });
      const retryAfter = answer.headers['retry-after'];
      const body = Buffer.from(await answer.body.arrayBuffer());
      return { status: answer.statusCode, retryAfter: retryAfter?.toString(), body };
    } catch (error) {
      call.signal?.throwIfAborted();
      throw new Unanswered(error instanceof Error ? error.message : String(error));
    }
  }
}

function dataOf<T>(body: Buffer): T {
  const { data } = envelope(body) ?? {};
  if (data === undefined) throw new Unanswered('an answer that is not from the service');
  return data as T;
}

function envelope(body: Buffer): { code?: unknown; message?: unknown; data?: unknown } | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as object;
  } catch {
    return undefined;
  }
}
