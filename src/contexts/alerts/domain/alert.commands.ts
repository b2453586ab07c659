import { command, type Outcome } from '../../../kernel/command.js';
import type { Instant } from '../../../kernel/time.js';
import type { Pace } from './alert.pace.js';
import type { AlertEvent, Condition } from './alert.events.js';
import type { Alerts } from './alert.state.js';

export type AlertRejection = { readonly code: 'AlertChannelsMissing' | 'TooManyAlerts' };
type AlertOutcome<Code extends AlertRejection['code'] = never> = Outcome<
  Alerts,
  AlertEvent,
  { readonly code: Code }
>;

/** The member's choice at this time. */
export interface Telling extends Pace {
  readonly kinds: readonly string[];
  /** Ids. */
  readonly channels: readonly string[];
  readonly whenOver: boolean;
  readonly since: Instant;
}

export interface Observed {
  readonly conditions: readonly Condition[];
  /** Kinds with more conditions than are listed. */
  readonly cut: readonly string[];
  /** Before the conditions were read. */
  readonly observedAt: Instant;
}

export class NoteConditions extends command('NoteConditions')<
  { memberId: string; messageId: string; observed: Observed; telling: Telling },
  AlertOutcome
> {}

/** Does not wait for the end of quiet hours. */
export class SendTestAlert extends command('SendTestAlert')<
  { memberId: string; messageId: string; telling: Telling },
  AlertOutcome<'AlertChannelsMissing' | 'TooManyAlerts'>
> {}

type OfAttempt = { memberId: string; messageId: string; channelId: string; attempt: number };

export class RecordAlertSent extends command('RecordAlertSent')<OfAttempt, AlertOutcome> {}

export class RecordAlertFailure extends command('RecordAlertFailure')<
  OfAttempt & { reason: string },
  AlertOutcome
> {}

export type AlertCommand = NoteConditions | SendTestAlert | RecordAlertSent | RecordAlertFailure;

/** Looks at what the member wants to be told of, and sends what is due. Harmless at any time. */
export class WatchAlerts extends command('WatchAlerts')<
  { accountId: string; memberId: string },
  { readonly ok: true }
> {}
