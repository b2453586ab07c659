import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { SignInClient } from './session.events.js';

export interface AccessEventData {
  /** Unknown names are not stored: one may be a password entered in the wrong field. */
  readonly SignInFailed: SignInClient & {
    readonly by: 'link' | 'password';
    readonly memberId?: string;
    /** Failures in this hour; after the twentieth, an event follows only at 40, 80, 160 and so on. */
    readonly count: number;
  };
  readonly OperatorOpenedDocument: { readonly jobId: string };
  readonly OperatorReadStream: { readonly stream: string };
}

export type AccessEvent = EventsOf<AccessEventData>;
