import type { AlertLine } from '../domain/alert.events.js';

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
