import { alertDecider } from './domain/alert.decider.js';
import { aggregate, AggregateStore } from '../../event-sourcing/index.js';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyedMutex } from '../../async/keyed-mutex.js';
import type { Accepted, CommandResult } from '../../kernel/command.js';
import { Randomness } from '../../kernel/ids.js';
import type { Origin, Recorded } from '../../kernel/recorded-event.js';
import { Clock } from '../../kernel/time.js';
import { accounts } from '../accounts/index.js';
import { areAlertsOn, memberOf, members, type AlertSettings } from '../members/index.js';
import {
  WatchAlerts,
  NoteConditions,
  RecordAlertFailure,
  RecordAlertSent,
  SendTestAlert,
  type Telling,
} from './domain/alert.commands.js';
import type { AlertEvent, AlertEventData } from './domain/alert.events.js';
import type { Alerts } from './domain/alert.state.js';
import { ALERT_SENDING, AlertFacts, type AlertSending } from './ports.js';
import { AlertSender } from './alert-sender.js';

/** One stream a member, with the member's id. */
export const alertsOfMember = aggregate({ category: 'alerts', decider: alertDecider });

type Attempt = AlertEventData['AlertAttemptStarted'];

/** Decides what to tell a member, and sends it. */
@CommandHandler(WatchAlerts)
export class AlertWatch implements ICommandHandler<WatchAlerts> {
  /** A look with older conditions must not decide after one with newer ones. */
  private readonly looks = new KeyedMutex();
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly aggregates: AggregateStore,
    private readonly facts: AlertFacts,
    private readonly sender: AlertSender,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    @Inject(ALERT_SENDING) private readonly sending: AlertSending,
  ) {}

  async execute({ accountId, memberId }: WatchAlerts): Promise<CommandResult<WatchAlerts>> {
    await this.look(accountId, memberId);
    return { ok: true };
  }

  /** Does nothing for a member who was removed, or whose account is closed. @throws UnavailableError */
  look(accountId: string, memberId: string): Promise<void> {
    return this.looks.run(memberId, async () => {
      const settings = await this.settingsOf(accountId, memberId);
      if (!settings || !areAlertsOn(settings)) return;
      const observedAt = this.clock.now();
      const { kinds, since } = settings;
      const { items, cut } = await this.facts.conditions(accountId, kinds, since, observedAt);
      const command = new NoteConditions({
        ...this.issued(memberId),
        observed: { conditions: items, cut, observedAt },
        telling: tellingOf(settings),
      });
      const noted = await this.aggregates.execute(alertsOfMember, memberId, command);
      if (noted.ok) this.sendStarted(accountId, memberId, settings, noted);
    });
  }

  /** @throws UnavailableError */
  async test(accountId: string, memberId: string, by: Origin) {
    const settings = (await this.settingsOf(accountId, memberId)) ?? NO_SETTINGS;
    const command = new SendTestAlert({ ...this.issued(memberId), by, telling: tellingOf(settings) });
    const outcome = await this.aggregates.execute(alertsOfMember, memberId, command);
    if (outcome.ok) this.sendStarted(accountId, memberId, settings, outcome);
    return outcome;
  }

  /** Resolves when no message is on its way. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private async settingsOf(accountId: string, memberId: string): Promise<AlertSettings | undefined> {
    const { state: account } = await this.aggregates.load(accounts, accountId);
    if (account.status === 'absent' || account.status === 'closed') return undefined;
    return memberOf((await this.aggregates.load(members, accountId)).state, memberId)?.alerts;
  }

  private sendStarted(
    accountId: string,
    memberId: string,
    settings: AlertSettings,
    { events, state }: Accepted<Alerts, AlertEvent>,
  ): void {
    for (const event of events.filter(isAttempt)) {
      const sent = this.sendOne(accountId, memberId, settings, { attempt: event.data, state })
        // The attempt counts as interrupted and is repeated.
        .catch((error: unknown) => this.sending.onError(error, 'sending an alert'))
        .finally(() => this.underWay.delete(sent));
      this.underWay.add(sent);
    }
  }

  private async sendOne(
    accountId: string,
    memberId: string,
    { channels }: AlertSettings,
    { attempt: started, state }: { readonly attempt: Attempt; readonly state: Alerts },
  ): Promise<void> {
    const { messageId, channelId, attempt } = started;
    const channel = channels.find((one) => one.channelId === channelId);
    const message = state.messages.find((one) => one.messageId === messageId);
    if (!channel || !message) return;
    const send = message.sends.find((one) => one.channelId === channelId);
    // Only refused attempts are known not to have arrived.
    const repeated = attempt - 1 > (send?.refusals ?? 0);
    const reason = await this.sender.send({ accountId, messageId }, channel, { ...message, repeated });
    const outcome = { ...this.issued(memberId), messageId, channelId, attempt };
    const command =
      reason === undefined
        ? new RecordAlertSent(outcome)
        : new RecordAlertFailure({ ...outcome, reason: reason.slice(0, 200) });
    await this.aggregates.execute(alertsOfMember, memberId, command);
  }

  private issued(memberId: string) {
    const messageId = this.randomness.uuid();
    const by: Origin = { actor: { kind: 'process', id: 'alert-watch' }, correlationId: messageId };
    return { memberId, messageId, at: this.clock.now(), by };
  }
}

const NO_SETTINGS: AlertSettings = { kinds: [], channels: [], pace: 'at_once', whenOver: false, since: '' };

const isAttempt = (
  event: Recorded<AlertEvent>,
): event is Recorded<Extract<AlertEvent, { type: 'AlertAttemptStarted' }>> =>
  event.type === 'AlertAttemptStarted';

function tellingOf({ channels, quiet, ...settings }: AlertSettings): Telling {
  return { ...settings, quiet, channels: channels.map(({ channelId }) => channelId) };
}
