import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Agent, request } from 'undici';
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

export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: unknown;
  signal?: AbortSignal;
  /** Limit for the first byte of the answer; long polls need a longer one. */
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  body: Buffer;
}

const MAX_RETRY_AFTER_MS = 300_000;

/**
 * HTTP client of the service. Retries network errors, 408, 429 and 5xx until the caller's signal aborts, which is safe
 * because every call of the protocol is idempotent. Throws `Refused` for any other 4xx.
 */
export class HttpCaller {
  private readonly connections = new Agent({ connections: 16, connect: { timeout: 10_000 } });

  constructor(
    private readonly baseUrl: string,
    private readonly bearer: string | undefined,
    private readonly log: Logger,
    private readonly limits: BackoffLimits = { firstMs: 200, longestMs: 10_000 },
  ) {}

  async call(call: Call): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(call);
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

  async data<T>(call: Call): Promise<T | undefined> {
    const { status, body } = await this.call(call);
    return status === 204 ? undefined : (JSON.parse(body.toString('utf8')) as { data: T }).data;
  }

  async close(): Promise<void> {
    await this.connections.destroy();
  }

  private async once(call: Call): Promise<Answer> {
    const { status, retryAfter, body } = await this.exchange(call);
    if (status >= 200 && status < 300) return { status, body };
    if (status === 408 || status === 429 || status >= 500) {
      const waitMs = retryAfterMs(retryAfter, Date.now());
      throw new Unanswered(`HTTP ${status}`, waitMs && Math.min(waitMs, MAX_RETRY_AFTER_MS));
    }
    const error = errorBody(body);
    throw new Refused(status, error.code, error.message);
  }

  private async exchange(call: Call): Promise<{ status: number; retryAfter?: string; body: Buffer }> {
    const timeoutMs = call.timeoutMs ?? 30_000;
    try {
      const answer = await request(`${this.baseUrl}${call.path}`, {
        method: call.method,
        headers: {
          ...(this.bearer !== undefined && { authorization: `Bearer ${this.bearer}` }),
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
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

function errorBody(body: Buffer): { code: string; message: string } {
  try {
    const { code, message } = JSON.parse(body.toString('utf8')) as { code?: unknown; message?: unknown };
    return { code: String(code ?? 'UNKNOWN'), message: String(message ?? '') };
  } catch {
    return { code: 'UNKNOWN', message: 'no readable error body' };
  }
}
