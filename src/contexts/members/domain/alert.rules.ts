import type { SealedSecret } from '../../../kernel/sealing.js';
import type { Instant } from '../../../kernel/time.js';

/** What a member may be told of, in the order of the panel. */
export const ALERT_KINDS = [
  'job_in_review',
  'job_failed',
  'printer_offline',
  'printer_behind',
  'computer_offline',
  'webhook_paused',
  'credential_ends',
  'plan_nearly_used',
] as const;
export const CHAT_FORMATS = ['slack', 'teams'] as const;
/** At least so much time between two messages. */
export const ALERT_PACES = ['at_once', 'quarter_hour', 'hour'] as const;
export const MAX_ALERT_CHANNELS = 3;

export type AlertKind = (typeof ALERT_KINDS)[number];
export type AlertPace = (typeof ALERT_PACES)[number];

export interface MailChannel {
  readonly channelId: string;
  readonly type: 'mail';
  readonly address: string;
}

export interface ChatChannel {
  readonly channelId: string;
  readonly type: (typeof CHAT_FORMATS)[number];
  readonly host: string;
  /** The address is the credential of the chat. */
  readonly url: SealedSecret;
}

export type AlertChannel = MailChannel | ChatChannel;

/** Each day from `from` to `until`, `HH:MM` in an IANA time zone; over midnight if `until` is earlier. */
export interface QuietHours {
  readonly from: string;
  readonly until: string;
  readonly timeZone: string;
}

export interface AlertChoice {
  readonly kinds: readonly AlertKind[];
  readonly channels: readonly AlertChannel[];
  readonly pace: AlertPace;
  /** Whether the end of what was told is told too. */
  readonly whenOver: boolean;
  readonly quiet?: QuietHours;
}

export interface AlertSettings extends AlertChoice {
  /** Since when the alerts are on; what failed or went offline earlier is not told. */
  readonly since: Instant;
}

export const areAlertsOn = ({ kinds, channels }: AlertChoice) => kinds.length > 0 && channels.length > 0;
