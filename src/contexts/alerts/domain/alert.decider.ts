import { accept, fold, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import { plus, type Instant, type Milliseconds } from '../../../kernel/time.js';
import type {
  AlertCommand,
  AlertRejection,
  NoteConditions,
  RecordAlertFailure,
  RecordAlertSent,
  SendTestAlert,
} from './alert.commands.js';
import type { AlertEvent, AlertLine } from './alert.events.js';
import { isFull, isQuiet, mayStart } from './alert.pace.js';
import {
  evolve,
  noAlerts,
  WITHOUT_END,
  type Alerts,
  type Message,
  type OpenAlert,
  type Send,
  CHANNEL_REMOVED,
} from './alert.state.js';

type Decided = Decision<AlertEvent, AlertRejection>;

const MAX_LINES = 20;
/** Longer than any attempt takes: one without an outcome by then was interrupted. */
export const INTERRUPTED_AFTER_MS: Milliseconds = 30_000;
/** There is one more attempt than delays, beside interrupted ones. */
const RETRY_DELAYS_MS: readonly Milliseconds[] = [60_000, 300_000, 900_000];
const MAX_ATTEMPTS = 10;
/** Failures of a day are listed: one raised so long ago does not come back. */
const FORGOTTEN_AFTER_MS: Milliseconds = 48 * 3_600_000;
/** Older news would only confuse. */
const STALE_AFTER_MS: Milliseconds = 24 * 3_600_000;

/** A repeat starts no second message; a message is stored before any part of it is sent. */
export const alertDecider: Decider<Alerts, AlertCommand, AlertEvent, AlertRejection> = {
  initialState: noAlerts,
  evolve,

  decide(alerts, command) {
    switch (command.kind) {
      case 'NoteConditions':
        return note(alerts, command);
      case 'SendTestAlert':
        return test(alerts, command);
      case 'RecordAlertSent': {
        const { messageId, channelId, attempt } = command;
        if (!isUnderWay(alerts, command)) return accept();
        return accept({ type: 'AlertDelivered', data: { messageId, channelId, attempt } });
      }
      case 'RecordAlertFailure':
        return fail(alerts, command);
    }
  },
};

function note(alerts: Alerts, command: NoteConditions): Decided {
  const changes = [...raised(alerts, command), ...cleared(alerts, command)];
  const after = fold(alertDecider, changes, alerts);
  return accept(...changes, ...message(after, command), ...again(after, command));
}

function raised({ open }: Alerts, { observed, at }: NoteConditions): AlertEvent[] {
  const fresh = observed.conditions.filter(({ key }) => !Object.hasOwn(open, key));
  return fresh.map((condition) => ({ type: 'AlertRaised', data: { ...condition, at } }));
}

function cleared({ open }: Alerts, { observed, telling, at }: NoteConditions): AlertEvent[] {
  const { conditions, cut, observedAt } = observed;
  const lasting = new Set(conditions.map(({ key }) => key));
  const hasEnded = ({ key, kind, at: raisedAt }: OpenAlert) =>
    !lasting.has(key) && raisedAt < (cut.includes(kind) ? plus(at, -FORGOTTEN_AFTER_MS) : observedAt);
  const isTold = ({ kind, told, at: raisedAt }: OpenAlert) =>
    told && telling.kinds.includes(kind) && !WITHOUT_END.includes(kind) && raisedAt >= telling.since;
  return Object.values(open)
    .filter(hasEnded)
    .map((alert) => ({ type: 'AlertCleared', data: { key: alert.key, over: isTold(alert) } }));
}

function message({ open, over, started }: Alerts, command: NoteConditions): AlertEvent[] {
  const { messageId, telling, at } = command;
  const begun: AlertLine[] = Object.values(open)
    .filter(({ told }) => !told)
    .map(({ text, link }) => ({ text, link }));
  const lines = telling.whenOver ? [...begun, ...over] : begun;
  if (lines.length === 0 || telling.channels.length === 0 || !mayStart(telling, started, at)) return [];
  return start(messageId, telling.channels, at, lines, false);
}

function start(
  messageId: string,
  channels: readonly string[],
  at: Instant,
  lines: readonly AlertLine[],
  test: boolean,
): AlertEvent[] {
  const more = Math.max(0, lines.length - MAX_LINES);
  const data = { messageId, at, lines: lines.slice(0, MAX_LINES), more, channels, test };
  return [
    { type: 'AlertMessageStarted', data },
    ...channels.map((channelId) => attemptOf(messageId, channelId, 1, at)),
  ];
}

const attemptOf = (messageId: string, channelId: string, attempt: number, at: Instant): AlertEvent => ({
  type: 'AlertAttemptStarted',
  data: { messageId, channelId, attempt, at },
});

/** The next attempts of earlier messages. */
function again({ messages }: Alerts, { telling, at }: NoteConditions): AlertEvent[] {
  const isHeld = isQuiet(telling.quiet, at);
  const due = messages.filter(({ test }) => test || !isHeld);
  return due.flatMap((one) => one.sends.flatMap((send) => nextOf(one, send, telling.channels, at)));
}

function nextOf(
  { messageId, at: begunAt }: Message,
  { channelId, status, attempts, startedAt, nextAttemptAt }: Send,
  channels: readonly string[],
  at: Instant,
): AlertEvent[] {
  const isInterrupted = status === 'sending' && startedAt <= plus(at, -INTERRUPTED_AFTER_MS);
  const isDue = status === 'waiting' && nextAttemptAt !== undefined && nextAttemptAt <= at;
  if (!isInterrupted && !isDue) return [];
  const failed = { messageId, channelId, attempt: attempts };
  if (!channels.includes(channelId))
    return [{ type: 'AlertAttemptFailed', data: { ...failed, reason: CHANNEL_REMOVED } }];
  if (begunAt <= plus(at, -STALE_AFTER_MS))
    return [{ type: 'AlertAttemptFailed', data: { ...failed, reason: 'TOO_OLD' } }];
  if (attempts >= MAX_ATTEMPTS)
    return [{ type: 'AlertAttemptFailed', data: { ...failed, reason: 'INTERRUPTED' } }];
  return [attemptOf(messageId, channelId, attempts + 1, at)];
}

function test({ started, messages }: Alerts, { messageId, telling, at }: SendTestAlert): Decided {
  if (messages.some((one) => one.messageId === messageId)) return accept();
  if (telling.channels.length === 0) return reject({ code: 'AlertChannelsMissing' });
  if (isFull(started, at)) return reject({ code: 'TooManyAlerts' });
  const line = { text: 'This is a test. Alerts arrive here.', link: '#/account' };
  return accept(...start(messageId, telling.channels, at, [line], true));
}

function fail(alerts: Alerts, command: RecordAlertFailure): Decided {
  const send = isUnderWay(alerts, command);
  if (!send) return accept();
  const { messageId, channelId, attempt, reason, at } = command;
  const delay = RETRY_DELAYS_MS[send.failures];
  const next = delay === undefined ? {} : { nextAttemptAt: plus(at, delay) };
  return accept({ type: 'AlertAttemptFailed', data: { messageId, channelId, attempt, reason, ...next } });
}

/** Late outcomes of earlier attempts count for nothing. */
function isUnderWay(
  { messages }: Alerts,
  { messageId, channelId, attempt }: RecordAlertSent | RecordAlertFailure,
): Send | undefined {
  const sends = messages.find((one) => one.messageId === messageId)?.sends;
  const send = sends?.find((one) => one.channelId === channelId);
  return send?.status === 'sending' && send.attempts === attempt ? send : undefined;
}
