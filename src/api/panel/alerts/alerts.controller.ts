import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  type Alerts,
  AlertSender,
  alertsOfMember,
  AlertWatch,
  type Message,
  type Send,
} from '../../../contexts/alerts/index.js';
import {
  ALERT_KINDS,
  ALERT_PACES,
  type AlertChannel as StoredChannel,
  type AlertKind,
  type AlertPace,
  type AlertSettings,
  CHAT_FORMATS,
  ChooseMemberAlerts,
  MAX_ALERT_CHANNELS,
  memberOf,
  members,
  type QuietHours,
} from '../../../contexts/members/index.js';
import { SecretBox, WebhookClient } from '../../../contexts/webhooks/index.js';
import { AggregateStore } from '../../../event-sourcing/index.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
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
import { Randomness } from '../../../kernel/ids.js';
import { Clock, type Instant } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { panel } from '../panel.surface.js';
import type { MemberCaller, MemberPrincipal } from '../session.authenticator.js';

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

const Operation = operationsOf(panel, { tag: 'Members', scopes: ['jobs:read'], callers: ['member'] });

const ADDRESS = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/;
const MAX_ADDRESS = 254;

const refused = (field: string, rule: string) => new ApiError('INVALID_REQUEST', `${field} ${rule}.`);

@Controller()
export class AlertsController {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly watch: AlertWatch,
    private readonly sender: AlertSender,
    private readonly client: WebhookClient,
    private readonly secrets: SecretBox,
    private readonly commands: CommandBus,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'getAlerts',
    route: 'GET /v1/panel/alerts',
    summary: 'Show your alerts',
    description: 'What you are told of, where and when, and the last messages.',
    limit: { perMinute: 60 },
    success: ok('Your alerts.', MemberAlerts),
  })
  async get(@Caller() { accountId, member: { memberId } }: MemberPrincipal) {
    return await this.shown(memberId, await this.settingsOf(accountId, memberId));
  }

  @Operation({
    id: 'chooseAlerts',
    route: 'PUT /v1/panel/alerts',
    summary: 'Choose your alerts',
    description:
      'Replaces the choice. URLs of chats are stored encrypted, are never shown again, and follow the rules for ' +
      'addresses of webhooks.',
    limit: { perMinute: 10 },
    body: AlertsBody,
    requestExample: {
      kinds: ['job_in_review', 'computer_offline'],
      channels: [{ type: 'slack', to: 'https://hooks.slack.com/services/T000/B000/XXXX' }],
      pace: 'quarter_hour',
      when_over: true,
      quiet_hours: { from: '22:00', until: '07:00', time_zone: 'Europe/Berlin' },
    },
    success: ok('Your alerts.', MemberAlerts),
  })
  async choose(
    @Body() { kinds, channels: wanted, pace, when_over: whenOver, quiet_hours: quiet }: AlertsBody,
    @Caller() { accountId, member: { memberId }, by }: MemberCaller,
  ) {
    if (quiet && quiet.from === quiet.until)
      throw refused('quiet_hours', 'must end at another time than they begin');
    const known = (await this.settingsOf(accountId, memberId))?.channels ?? [];
    const channels = await Promise.all(wanted.map((channel) => this.channelOf(channel, known, accountId)));
    const choice = {
      ...{ kinds, channels, pace, whenOver },
      ...(quiet && { quiet: { from: quiet.from, until: quiet.until, timeZone: quiet.time_zone } }),
    };
    const command = new ChooseMemberAlerts({ accountId, memberId, choice, at: this.clock.now(), by });
    const { state } = orRefuse('panel', await this.commands.execute(command));
    return await this.shown(memberId, state.members[memberId]?.alerts);
  }

  @Operation({
    id: 'testAlerts',
    route: 'POST /v1/panel/alerts/test',
    summary: 'Send a test to your channels',
    description: 'Counts as one of the sixty messages of an hour. `messages` shows what becomes of it.',
    limit: { perMinute: 3 },
    success: ok('Your alerts; the test is the newest message.', MemberAlerts),
    errors: ['STATE_CONFLICT'],
  })
  async test(@Caller() { accountId, member: { memberId }, by }: MemberCaller) {
    orRefuse('panel', await this.watch.test(accountId, memberId, by));
    return await this.shown(memberId, await this.settingsOf(accountId, memberId));
  }

  /** The signed-in member may be cached. */
  private async settingsOf(accountId: string, memberId: string): Promise<AlertSettings | undefined> {
    return memberOf((await this.aggregates.load(members, accountId)).state, memberId)?.alerts;
  }

  private async shown(memberId: string, settings: AlertSettings | undefined): Promise<MemberAlerts> {
    const { state } = await this.aggregates.load(alertsOfMember, memberId);
    return alertsResource(settings, state, this.sender.offersMail);
  }

  private async channelOf(
    { channel_id: id, type, to }: AlertChannelBody,
    known: readonly StoredChannel[],
    accountId: string,
  ): Promise<StoredChannel> {
    const kept = known.find((channel) => channel.channelId === id && channel.type === type);
    if (id !== undefined && !kept) throw refused('channels', 'must name only your own channels');
    if (kept && to === undefined) return kept;
    const channelId = this.randomness.uuid();
    if (to === undefined) throw refused('channels', 'must each have an address, in to');
    if (type === 'mail') return { channelId, type, address: this.mailAddress(to) };
    const verdict = await this.client.examine(to);
    if (!verdict.allowed) throw refused('to', verdict.rule);
    const { host } = new URL(verdict.target);
    return { channelId, type, host, url: this.secrets.seal(verdict.target, accountId, channelId) };
  }

  private mailAddress(to: string): string {
    if (!this.sender.offersMail) throw refused('channels', 'must not be mail: the service sends none');
    if (to.length > MAX_ADDRESS || !ADDRESS.test(to)) throw refused('to', 'must be a mail address');
    return to;
  }
}
