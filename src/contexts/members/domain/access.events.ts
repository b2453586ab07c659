import type { SignInClient } from './session.events.js';

/** A wrong password or link. An unknown name is not stored: it may be a password entered in the wrong field. */
export interface SignInFailed {
  readonly type: 'SignInFailed';
  readonly data: SignInClient & {
    readonly by: 'link' | 'password';
    /** Absent if the name is unknown. */
    readonly memberId?: string;
    /** Failures in this hour up to this one: those after the twentieth are stored at 40, 80, 160 and so on. */
    readonly count: number;
  };
}

/** An operator was given the document of a job. */
export interface OperatorOpenedDocument {
  readonly type: 'OperatorOpenedDocument';
  readonly data: { readonly jobId: string };
}

/** An operator read the stored events of a stream. */
export interface OperatorReadStream {
  readonly type: 'OperatorReadStream';
  readonly data: { readonly stream: string };
}

/** Events of one account, or of the installation, and one day. */
export type AccessEvent = SignInFailed | OperatorOpenedDocument | OperatorReadStream;
