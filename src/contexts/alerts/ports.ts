import type { Instant } from '../../kernel/time.js';
import type { AlertKind } from '../members/index.js';
import type { Condition } from './domain/alert.events.js';

export type { AlertKind, Condition };

export interface Conditions {
  /** At most 50 of a kind. */
  readonly items: readonly (Condition & { readonly kind: AlertKind })[];
  /** Kinds of which there are more. */
  readonly cut: readonly AlertKind[];
}

/** What members are told of. The lists may lag behind the events. */
export abstract class AlertFacts {
  /** @param since leaves out what failed or went offline before */
  abstract conditions(
    accountId: string,
    kinds: readonly AlertKind[],
    since: Instant,
    now: Instant,
  ): Promise<Conditions>;
  /** Ids of the members whose alerts are on. */
  abstract watchers(accountId: string): Promise<readonly string[]>;
}

export interface AlertSending {
  /** Undefined: mail is not offered. */
  readonly mail: { readonly url: string; readonly from: string } | undefined;
  /** For links to the panel. */
  readonly publicUrl: string | undefined;
  /** Reports a failure that will be retried. @param doing what was tried, as a gerund */
  readonly onError: (error: unknown, doing: string) => void;
}

/** Provider token. */
export const ALERT_SENDING = Symbol('how alerts are sent');
