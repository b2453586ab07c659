import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { AlertChannel, ChatChannel, MailChannel } from '../../members/index.js';
import type { Milliseconds } from '../../../kernel/time.js';
import { SecretUnreadableError } from '../../../kernel/sealing.js';
import { SecretBox, WebhookClient } from '../../webhooks/index.js';
import { ALERT_SENDING, type AlertSending } from '../ports.js';
import { bodyOf, slackBody, subjectOf, teamsBody, type AlertText } from './alert-text.js';
import { sendMail } from './smtp.js';

/** Less than after which an attempt counts as interrupted. */
const WHOLE_MS: Milliseconds = 20_000;

/** Identifies a message for its receivers, in every attempt the same. */
export interface Envelope {
  readonly accountId: string;
  readonly messageId: string;
}

/** Sends one message to one channel. */
@Injectable()
export class AlertSender {
  constructor(
    private readonly client: WebhookClient,
    private readonly secrets: SecretBox,
    @Inject(ALERT_SENDING) private readonly sending: AlertSending,
  ) {}

  get offersMail(): boolean {
    return this.sending.mail !== undefined;
  }

  /** Ends within 20 s. Resolves to the reason of a failure, at most 200 characters. */
  async send(envelope: Envelope, channel: AlertChannel, text: AlertText): Promise<string | undefined> {
    const sent =
      channel.type === 'mail' ? this.mail(envelope, channel, text) : this.post(envelope, channel, text);
    // The timer is unreferenced: it must not delay the end of the process.
    return Promise.race([sent, pause(WHOLE_MS, 'TIMEOUT', { ref: false })]);
  }

  private async mail(
    { messageId }: Envelope,
    { address, channelId }: MailChannel,
    text: AlertText,
  ): Promise<string | undefined> {
    const { mail } = this.sending;
    if (!mail) return 'MAIL_NOT_OFFERED';
    return sendMail(mail, {
      to: address,
      subject: subjectOf(text),
      text: bodyOf(text, this.panel),
      id: `${messageId}.${channelId}`,
    });
  }

  private async post({ accountId }: Envelope, channel: ChatChannel, text: AlertText) {
    const { type, url, channelId } = channel;
    const body = (type === 'slack' ? slackBody : teamsBody)(text, this.panel);
    try {
      const target = this.secrets.open(url, accountId, channelId);
      const headers = { 'content-type': 'application/json' };
      const answer = await this.client.send({ target, headers, body: Buffer.from(JSON.stringify(body)) });
      const { failureCode, responseStatus } = answer;
      return failureCode === 'HTTP_STATUS' ? `HTTP_${responseStatus}` : failureCode;
    } catch (error) {
      if (error instanceof SecretUnreadableError) return 'ADDRESS_UNREADABLE';
      throw error;
    }
  }

  private get panel(): string | undefined {
    const { publicUrl } = this.sending;
    return publicUrl && `${publicUrl}/panel`;
  }
}
