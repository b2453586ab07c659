import type { Readable } from 'node:stream';

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Called when the client has all of it. Not called if the connection closes before. */
  readonly sent?: () => void;
}

/** Data that is JSON already. */
export class SerializedData {
  constructor(readonly json: Uint8Array) {}
}

/** Data of an envelope with headers, or with another status than the first of the operation. */
export class Answer {
  constructor(
    readonly data: unknown,
    readonly options: AnswerOptions = {},
  ) {}
}

/** Without envelope: document bytes, metrics text, a stream, or no body (204, 304). */
export class BareAnswer {
  constructor(
    readonly status: number,
    readonly body?: string | Uint8Array | Readable,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Of a 304: whether the rate limit counts it. */
    readonly isCounted = false,
  ) {}
}

export const answer = (data: unknown, options?: AnswerOptions) => new Answer(data, options);

/** 304: not counted by the rate limit. */
export const notModified = (headers: Readonly<Record<string, string>> = {}) =>
  new BareAnswer(304, undefined, headers);

/** 304 that took as much work as the answer itself. */
export const countedNotModified = (headers: Readonly<Record<string, string>>) =>
  new BareAnswer(304, undefined, headers, true);

export const noContent = () => new BareAnswer(204);

/** Headers of server-sent events. */
export const EVENT_STREAM = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

/** Keeps proxies from closing a quiet connection. */
export const COMMENT = ': still here\n\n';
