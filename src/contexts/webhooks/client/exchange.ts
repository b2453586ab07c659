import type { Dispatcher } from 'undici';
import type { SendFailure } from './webhook-client.port.js';
import type { Milliseconds } from '../../../kernel/time.js';

export class SendError extends Error {
  constructor(
    readonly failure: SendFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface Response {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly start: Buffer;
}

const KEPT_BYTES = 1024;
/** Limits a response to 64 KiB: socket chunks have at most 16 KiB. */
const READ_LIMIT = 64 * 1024 - 16 * 1024;
const MAX_INTERIM_RESPONSES = 16;

type Headers = Record<string, string | string[] | undefined>;

/** The status alone decides the outcome; the body is read only to reuse the connection. */
export class Exchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private retryAfter: string | undefined;
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  private bytes = 0;
  private interim = 0;
  private ended = false;
  private settle!: { resolve: (response: Response) => void; reject: (error: Error) => void };

  readonly response = new Promise<Response>((resolve, reject) => {
    this.settle = { resolve, reject };
  });

  get isOver(): boolean {
    return this.ended;
  }

  /** Ends with the status if received, else with TIMEOUT. */
  expire(): void {
    this.finish(new SendError('TIMEOUT', 'no answer in time'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.ended) controller.abort(new SendError('TIMEOUT', 'too late'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return this.skip(headers);
    this.status = status;
    const { 'retry-after': retryAfter } = headers;
    this.retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.keep(chunk);
    this.bytes += chunk.length;
    if (this.bytes > READ_LIMIT) this.finish(new SendError('CONNECTION_FAILED', 'more than we read'));
  }

  onResponseEnd(): void {
    this.finish();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.finish(error);
  }

  onRequestUpgrade(): void {
    this.finish(new SendError('CONNECTION_FAILED', 'no upgrade was asked for'));
  }

  private keep(chunk: Buffer): void {
    if (this.keptBytes === KEPT_BYTES) return;
    const part = Buffer.from(chunk.subarray(0, KEPT_BYTES - this.keptBytes));
    this.keptBytes += part.length;
    this.kept.push(part);
  }

  /** Interim responses count towards the limit. */
  private skip(headers: Headers): void {
    this.bytes += JSON.stringify(headers).length;
    if (++this.interim <= MAX_INTERIM_RESPONSES && this.bytes <= READ_LIMIT) return;
    this.finish(new SendError('CONNECTION_FAILED', 'more than we read'));
  }

  private finish(error?: Error): void {
    if (this.ended) return;
    this.ended = true;
    if (this.status === 0) this.settle.reject(error ?? new SendError('CONNECTION_FAILED', 'no answer'));
    else {
      const { status, retryAfter } = this;
      this.settle.resolve({ status, retryAfter, start: Buffer.concat(this.kept) });
    }
    if (error) this.controller?.abort(error);
  }
}

const MAX_MS: Milliseconds = 6 * 3_600_000;
/** Preferred date format of RFC 9110 5.6.7. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Both forms of RFC 9110 10.2.3; undefined for any other value. */
export function retryAfterMs(value: string | undefined, nowMs: Milliseconds): Milliseconds | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_MS);
  if (!HTTP_DATE.test(text)) return undefined;
  const wait = Date.parse(text) - nowMs;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), MAX_MS);
}
