import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { AlertChannel, ChatChannel, MailChannel } from '../members/index.js';
import type { Milliseconds } from '../../kernel/time.js';
import { SecretUnreadableError } from '../../kernel/sealing.js';
import { SecretBox, WebhookClient } from '../webhooks/index.js';
import { ALERT_SENDING, type AlertSending } from './ports.js';
import type { AlertLine } from './domain/alert.events.js';

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
    if (channel.type === 'mail') return this.mail(envelope, channel, text);
    // The timer is unreferenced: it must not delay the end of the process.
    return Promise.race([this.post(envelope, channel, text), pause(WHOLE_MS, 'TIMEOUT', { ref: false })]);
  }

  private async mail(
    { messageId }: Envelope,
    { address, channelId }: MailChannel,
    text: AlertText,
  ): Promise<string | undefined> {
    const { mail } = this.sending;
    if (!mail) return 'MAIL_NOT_OFFERED';
    const id = `${messageId}.${channelId}`;
    const letter = { to: address, subject: subjectOf(text), text: bodyOf(text, this.panel), id };
    return sendMail(mail, letter, AbortSignal.timeout(WHOLE_MS));
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

export interface AlertText {
  readonly lines: readonly AlertLine[];
  readonly more: number;
  readonly test: boolean;
  /** An earlier attempt was not acknowledged, so this may be a repetition. */
  readonly repeated: boolean;
}

const NAME = 'Remote Printing';

export function subjectOf({ lines, more, test }: AlertText): string {
  const count = lines.length + more;
  const [first] = lines;
  if (test || !first) return `[${NAME}] Test`;
  return `[${NAME}] ${textOf(first)}${count > 1 ? ` and ${count - 1} more` : ''}`;
}

/** Plain text. @param panel address of the panel, without which there are no links */
export function bodyOf({ lines, more, repeated }: AlertText, panel: string | undefined): string {
  const linked = lines.map((line) => (panel ? `${textOf(line)}\n${panel}/${line.link}` : textOf(line)));
  return [
    ...(repeated ? ['(Perhaps you have this message already.)'] : []),
    ...linked,
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n\n');
}

const textOf = ({ text, over }: AlertLine) => (over ? `Over: ${text}` : text);

/** Slack's incoming webhooks; `@` would address people where the format is read by others. */
export function slackBody(text: AlertText, panel: string | undefined): object {
  const escaped = bodyOf(text, panel)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u200b');
  return { text: escaped, mrkdwn: false };
}

/** An Adaptive Card of text runs, which Teams does not read as Markdown. */
export function teamsBody(text: AlertText, panel: string | undefined): object {
  const runs = bodyOf(text, panel)
    .split('\n\n')
    .map((part) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: part }] }));
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: runs,
    ...(panel && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: `${panel}/` }] }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Left part of the Message-ID, the same in a repetition. */
  readonly id: string;
}

const STEP_MS: Milliseconds = 10_000;
/** As long as the line of a header may be. */
const MAX_SUBJECT = 150;

/**
 * Resolves to the reason of a failure.
 * @param server `smtp://` or `smtps://`, with user and password if needed
 * @param deadline ends the dialogue, which would deliver a mail that counts as failed and is sent again
 */
export async function sendMail(
  server: { readonly url: string; readonly from: string },
  { to, subject, text, id }: Mail,
  deadline: AbortSignal,
): Promise<string | undefined> {
  // Loaded for the first mail: most services send none.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: server.url,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      ...{ from: server.from, to, subject: shortened(subject), text },
      messageId: `<${id}@${server.from.slice(server.from.lastIndexOf('@') + 1).replace(/>$/, '')}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: deadline,
    });
    return undefined;
  } catch (error) {
    if (deadline.aborted) return 'TIMEOUT';
    const { code = 'SMTP_FAILED', responseCode } = error as { code?: string; responseCode?: number };
    return responseCode === undefined ? code : `SMTP_${responseCode}`;
  } finally {
    transport.close();
  }
}

const shortened = (text: string) =>
  text.length <= MAX_SUBJECT ? text : `${[...text].slice(0, MAX_SUBJECT - 1).join('')}…`;
