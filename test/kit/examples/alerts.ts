import {
  NoteConditions,
  RecordAlertFailure,
  RecordAlertSent,
  SendTestAlert,
  type Telling,
} from '../../../src/contexts/alerts/domain/alert.commands.js';
import type { AlertEvent, AlertLine, Condition } from '../../../src/contexts/alerts/domain/alert.events.js';
import type { Instant } from '../../../src/kernel/time.js';
import { BEA, by, later, NOON } from './members.js';

export { BEA, later, NOON };
export const MINUTE = 60_000;
export const MAIL = 'mail-1';
export const CHAT = 'chat-1';
export const FIRST = 'message-1';
export const SECOND = 'message-2';

const condition = (kind: string, id: string, text: string): Condition => {
  return { key: `${kind}:${id}`, kind, text, link: '#/devices' };
};
export const offline = condition('computer_offline', 'pc-1', 'Computer “Till” is offline');
export const review = condition('job_in_review', 'job-1', 'Job “Label” needs a decision');
export const failure = condition('job_failed', 'job-2', 'Job “Slip” failed');

export const telling: Telling = {
  kinds: ['computer_offline', 'job_in_review', 'job_failed'],
  channels: [MAIL],
  pace: 'at_once',
  whenOver: true,
  since: NOON,
};

/** A look at these conditions, `ms` after noon. */
export const note = (
  conditions: readonly Condition[],
  ms: number,
  messageId = FIRST,
  { cut = [], ...changed }: Partial<Telling> & { cut?: readonly string[] } = {},
) =>
  new NoteConditions({
    ...{ memberId: BEA, messageId, telling: { ...telling, ...changed } },
    observed: { conditions, cut, observedAt: later(ms) },
    ...{ at: later(ms), by },
  });
export const test = (ms = 0, messageId = FIRST, changed: Partial<Telling> = {}) =>
  new SendTestAlert({ memberId: BEA, messageId, telling: { ...telling, ...changed }, at: later(ms), by });
const ofAttempt = (messageId: string, attempt: number, channelId = MAIL) => ({
  messageId,
  channelId,
  attempt,
});
export const sent = (ms: number, messageId = FIRST, attempt = 1) =>
  new RecordAlertSent({ memberId: BEA, ...ofAttempt(messageId, attempt), at: later(ms), by });
export const refused = (ms: number, messageId = FIRST, attempt = 1) =>
  new RecordAlertFailure({
    ...{ memberId: BEA, ...ofAttempt(messageId, attempt), reason: 'SMTP_451' },
    ...{ at: later(ms), by },
  });

export const raised = (raisedNow: Condition, ms: number): AlertEvent => ({
  type: 'AlertRaised',
  data: { ...raisedNow, at: later(ms) },
});
export const cleared = ({ key }: Condition, over = true): AlertEvent => ({
  type: 'AlertCleared',
  data: { key, over },
});
export const line = ({ text, link }: Condition, over?: true): AlertLine => ({
  text,
  link,
  ...(over && { over }),
});
export const started = (
  lines: readonly AlertLine[],
  ms: number,
  messageId = FIRST,
  { test: isTest = false, channels = [MAIL], more = 0 } = {},
): AlertEvent => ({
  type: 'AlertMessageStarted',
  data: { messageId, at: later(ms), lines, more, channels, test: isTest },
});
export const attempt = (ms: number, messageId = FIRST, n = 1, channelId = MAIL): AlertEvent => ({
  type: 'AlertAttemptStarted',
  data: { ...ofAttempt(messageId, n, channelId), at: later(ms) },
});
export const delivered = (messageId = FIRST, n = 1, channelId = MAIL): AlertEvent => ({
  type: 'AlertDelivered',
  data: ofAttempt(messageId, n, channelId),
});
export const failed = (reason: string, nextAttemptAt?: Instant, messageId = FIRST, n = 1): AlertEvent => ({
  type: 'AlertAttemptFailed',
  data: { ...ofAttempt(messageId, n), reason, ...(nextAttemptAt !== undefined && { nextAttemptAt }) },
});
/** A condition that was told, and the telling arrived. */
export const told = (one: Condition, ms: number, messageId = FIRST): AlertEvent[] => [
  raised(one, ms),
  started([line(one)], ms, messageId),
  attempt(ms, messageId),
  delivered(messageId),
];
