import { type Alerts, type Message, type Send } from '../../../contexts/alerts/index.js';
import {
  ALERT_KINDS,
  ALERT_PACES,
  type AlertKind,
  type AlertPace,
  type AlertSettings,
  CHAT_FORMATS,
  MAX_ALERT_CHANNELS,
  type QuietHours,
} from '../../../contexts/members/index.js';
import { Field, optional, orNull } from '../../../http/validation/field.js';
import {
  boolean,
  dateTime,
  integer,
  listOf,
  object,
  objects,
  oneOf,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';

const CHANNEL_TYPES = ['mail', ...CHAT_FORMATS] as const;
type ChannelType = (typeof CHANNEL_TYPES)[number];

const isZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};
const zone = { ...text({ max: 64 }), message: 'must be a time zone such as Europe/Berlin' };
const timeZone = { ...zone, accepts: (value: unknown) => zone.accepts(value) && isZone(value as string) };
const timeOfDay = text({
  max: 5,
  pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
  message: 'must be a time such as 22:00',
});

/** Where alerts are sent. */
export class AlertChannelBody {
  @Field(uuid(), { optional: true, description: 'Of a channel that stays' }) channel_id?: string;
  @Field(oneOf(...CHANNEL_TYPES)) type!: ChannelType;
  @Field(text({ max: 2_048 }), {
    optional: true,
    description: 'Mail address, or URL of the incoming webhook; absent: unchanged',
  })
  to?: string;
}

export class AlertQuietHours {
  @Field(timeOfDay) from!: string;
  @Field(timeOfDay) until!: string;
  @Field(timeZone) time_zone!: string;
}

export class AlertsBody {
  @Field(listOf(oneOf(...ALERT_KINDS), { max: ALERT_KINDS.length, unique: true })) kinds!: AlertKind[];
  @Field(objects(() => AlertChannelBody, MAX_ALERT_CHANNELS)) channels!: AlertChannelBody[];
  @Field(oneOf(...ALERT_PACES)) pace!: AlertPace;
  @Field(boolean()) when_over!: boolean;
  @Field(object(() => AlertQuietHours), { nullable: true, ...optional }) quiet_hours?: AlertQuietHours | null;
}

class AlertChannel {
  @Field(uuid()) channel_id!: string;
  @Field(oneOf(...CHANNEL_TYPES)) type!: ChannelType;
  @Field(text({ max: 2_048 }), { description: 'Mail address, or host of the chat' }) to!: string;
}

class AlertSend {
  @Field(uuid()) channel_id!: string;
  @Field(oneOf('sending', 'waiting', 'sent', 'failed')) status!: Send['status'];
  @Field(integer(0, 100)) attempts!: number;
  @Field(text({ max: 200 }), { nullable: true, description: 'Of the last failure' }) reason!: string | null;
  @Field(dateTime(), orNull) next_attempt_at!: Instant | null;
}

class AlertMessage {
  @Field(uuid()) message_id!: string;
  @Field(dateTime()) started_at!: Instant;
  @Field(boolean()) is_test!: boolean;
  @Field(listOf(text({ max: 400 }), { max: 20 })) lines!: readonly string[];
  @Field(integer(0, 10_000), { description: 'Lines that are not shown' }) more!: number;
  @Field(objects(() => AlertSend, MAX_ALERT_CHANNELS)) sends!: readonly AlertSend[];
}

/** What the member is told of, where and when. */
export class MemberAlerts {
  @Field(boolean(), { description: 'The service can send mail' }) offers_mail!: boolean;
  @Field(listOf(oneOf(...ALERT_KINDS), { max: ALERT_KINDS.length })) kinds!: readonly AlertKind[];
  @Field(objects(() => AlertChannel, MAX_ALERT_CHANNELS)) channels!: readonly AlertChannel[];
  @Field(oneOf(...ALERT_PACES)) pace!: AlertPace;
  @Field(boolean()) when_over!: boolean;
  @Field(object(() => AlertQuietHours), orNull) quiet_hours!: AlertQuietHours | null;
  @Field(objects(() => AlertMessage, 20), { description: 'Newest first' })
  messages!: readonly AlertMessage[];

  static readonly example: MemberAlerts = {
    offers_mail: true,
    kinds: ['job_in_review', 'computer_offline'],
    channels: [
      { channel_id: '01990000-0000-7000-8000-0000000000e1', type: 'mail', to: 'bea@example.com' },
      { channel_id: '01990000-0000-7000-8000-0000000000e2', type: 'slack', to: 'hooks.slack.com' },
    ],
    pace: 'quarter_hour',
    when_over: true,
    quiet_hours: { from: '22:00', until: '07:00', time_zone: 'Europe/Berlin' },
    messages: [],
  };
}

const NONE = { kinds: [], channels: [], pace: 'quarter_hour', whenOver: true } as const;

export function alertsResource(
  settings: Omit<AlertSettings, 'since'> = NONE,
  { messages }: Alerts,
  offersMail: boolean,
): MemberAlerts {
  const { kinds, channels, pace, whenOver, quiet } = settings;
  return {
    offers_mail: offersMail,
    kinds,
    channels: channels.map((channel) => ({
      channel_id: channel.channelId,
      type: channel.type,
      to: channel.type === 'mail' ? channel.address : channel.host,
    })),
    pace,
    when_over: whenOver,
    quiet_hours: quiet ? quietResource(quiet) : null,
    messages: messages.slice(-20).reverse().map(messageResource),
  };
}

const quietResource = ({ timeZone: time_zone, ...times }: QuietHours) => ({ ...times, time_zone });

const messageResource = ({ messageId, at, lines, more, test, sends }: Message): AlertMessage => ({
  message_id: messageId,
  started_at: at,
  is_test: test,
  lines: lines.map((line) => (line.over ? `Over: ${line.text}` : line.text)),
  more,
  sends: sends.map(({ channelId, status, attempts, reason, nextAttemptAt }) => ({
    ...{ channel_id: channelId, status, attempts },
    reason: reason ?? null,
    next_attempt_at: nextAttemptAt ?? null,
  })),
});
