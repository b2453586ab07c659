import type { Readable } from 'node:stream';

interface AnswerOptions {
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export class Answer {
  constructor(
    readonly code: string,
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
  ) {}
}

export const answer = (code: string, data: unknown, options?: AnswerOptions) =>
  new Answer(code, data, options);

/** 304: not counted by the rate limit. */
export const notModified = (headers: Readonly<Record<string, string>> = {}) =>
  new BareAnswer(304, undefined, headers);

export const noContent = () => new BareAnswer(204);
