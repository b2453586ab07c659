import type { SignInClient } from './session.events.js';

/** Unknown names are not stored: one may be a password entered in the wrong field. */
export interface SignInFailed {
  readonly type: 'SignInFailed';
  readonly data: SignInClient & {
    readonly by: 'link' | 'password';
    readonly memberId?: string;
    /** Failures in this hour; after the twentieth, an event follows only at 40, 80, 160 and so on. */
    readonly count: number;
  };
}

export interface OperatorOpenedDocument {
  readonly type: 'OperatorOpenedDocument';
  readonly data: { readonly jobId: string };
}

export interface OperatorReadStream {
  readonly type: 'OperatorReadStream';
  readonly data: { readonly stream: string };
}

export type AccessEvent = SignInFailed | OperatorOpenedDocument | OperatorReadStream;
