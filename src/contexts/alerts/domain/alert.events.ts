import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

/** Something that a member wants to know while it lasts. */
export interface Condition {
  /** The same as long as it lasts, e.g. `computer_offline:<computer_id>`. */
  readonly key: string;
  readonly kind: string;
  /** One line of at most 200 characters; names in it come from strangers. */
  readonly text: string;
  /** Page of the panel, e.g. `#/devices`. */
  readonly link: string;
}

export interface AlertLine {
  readonly text: string;
  readonly link: string;
  /** It has ended. */
  readonly over?: true;
}

type OfAttempt<D extends object = object> = Readonly<
  { messageId: string; channelId: string; attempt: number } & D
>;

export interface AlertEventData {
  readonly AlertRaised: Condition & { readonly at: Instant };
  /** `over`: to be told, because its beginning was. */
  readonly AlertCleared: { readonly key: string; readonly over: boolean };
  /** Tells all that has been raised or is over since the message before. */
  readonly AlertMessageStarted: {
    readonly messageId: string;
    readonly at: Instant;
    /** At most 20. */
    readonly lines: readonly AlertLine[];
    /** Number of further lines. */
    readonly more: number;
    readonly channels: readonly string[];
    readonly test: boolean;
  };
  /** Stored before the message leaves. Attempts of a channel count from 1. */
  readonly AlertAttemptStarted: OfAttempt<{ at: Instant }>;
  readonly AlertDelivered: OfAttempt;
  /** Without `nextAttemptAt` no attempt follows. */
  readonly AlertAttemptFailed: OfAttempt<{ reason: string; nextAttemptAt?: Instant }>;
}

export type AlertEvent = EventsOf<AlertEventData>;
