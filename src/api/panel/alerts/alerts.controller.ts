import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AggregateStore } from '../../../event-sourcing/index.js';
import { AlertSender, alertsOfMember, AlertWatch } from '../../../contexts/alerts/index.js';
import {
  type AlertChannel,
  type AlertSettings,
  ChooseMemberAlerts,
  memberOf,
  members,
} from '../../../contexts/members/index.js';
import { SecretBox, WebhookClient } from '../../../contexts/webhooks/index.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import { Randomness } from '../../../kernel/ids.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import { type AlertChannelBody, AlertsBody, alertsResource, MemberAlerts } from './alerts.resource.js';

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
    @Caller() { accountId, member: { memberId } }: MemberPrincipal,
    @RequestOrigin() by: Origin,
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
  async test(@Caller() { accountId, member: { memberId } }: MemberPrincipal, @RequestOrigin() by: Origin) {
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
    known: readonly AlertChannel[],
    accountId: string,
  ): Promise<AlertChannel> {
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
