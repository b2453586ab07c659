import type { Dispatcher } from 'undici';
import type { SendFailure } from './webhook-client.port.js';
import type { Milliseconds } from '../../../kernel/time.js';

/** Request without an answer; carries the error code stored with the attempt. */
export class SendError extends Error {
  constructor(
    readonly failure: SendFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The received part of an answer. */
export interface Response {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The first bytes of the body. */
  readonly start: Buffer;
}

const KEPT_BYTES = 1024;
/** Limits a response to 64 KiB: socket chunks have at most 16 KiB. */
const READ_LIMIT = 64 * 1024 - 16 * 1024;
const MAX_INTERIM_RESPONSES = 16;

type Headers = Record<string, string | string[] | undefined>;

/**
 * One request and its answer. The status decides the outcome: errors in the body are ignored. The body is read up to
 * a limit and the deadline, only so that the connection can be reused.
 */
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

  /** True once the exchange has ended. */
  get isOver(): boolean {
    return this.ended;
  }

  /** Ends the exchange at the deadline: with the status if received, else with TIMEOUT. */
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

  /** Counts and ignores interim responses. */
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

/** Upper limit for Retry-After. */
const MAX_MS: Milliseconds = 6 * 3_600_000;
/** RFC 9110 5.6.7, preferred date format. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Parses both forms of RFC 9110 10.2.3; undefined for any other value. */
export function retryAfterMs(value: string | undefined, nowMs: Milliseconds): Milliseconds | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_MS);
  if (!HTTP_DATE.test(text)) return undefined;
  const wait = Date.parse(text) - nowMs;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), MAX_MS);
}
