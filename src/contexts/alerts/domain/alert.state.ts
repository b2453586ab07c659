import { plus, type Instant } from '../../../kernel/time.js';
import type { AlertEvent, AlertEventData, AlertLine, Condition } from './alert.events.js';
import { HOUR_MS, type Started } from './alert.pace.js';

export interface OpenAlert extends Condition {
  readonly at: Instant;
  readonly told: boolean;
}

export interface Send {
  readonly channelId: string;
  readonly status: 'sending' | 'waiting' | 'sent' | 'failed';
  readonly attempts: number;
  /** Interrupted attempts do not count. */
  readonly failures: number;
  /** Failures by which the receiver said that it has no message. */
  readonly refusals: number;
  /** Of the newest attempt. */
  readonly startedAt: Instant;
  readonly nextAttemptAt?: Instant | undefined;
  readonly reason?: string | undefined;
}

export interface Message extends Omit<AlertEventData['AlertMessageStarted'], 'channels'> {
  readonly sends: readonly Send[];
}

export interface Alerts {
  /** By key, oldest first; at most 500. */
  readonly open: Readonly<Record<string, OpenAlert>>;
  /** Ends that have not been told; at most 100. */
  readonly over: readonly AlertLine[];
  /** In the last hour. */
  readonly started: readonly Started[];
  /** Oldest first: all unfinished ones, and 20 others. */
  readonly messages: readonly Message[];
}

export const noAlerts: Alerts = { open: {}, over: [], started: [], messages: [] };

const MAX_OPEN = 500;
const MAX_OVER = 100;
const KEPT_MESSAGES = 20;
/** Reason of an attempt that was not made, because its member has removed the channel. */
export const CHANNEL_REMOVED = 'CHANNEL_REMOVED';
/** Nothing ends a failure. */
export const WITHOUT_END = ['job_failed'];
/** An answer with a status; after a timeout or a broken connection the message may have arrived. */
const REFUSAL = /^(HTTP|SMTP)_\d/;

export const isUnfinished = ({ sends }: Message) =>
  sends.some(({ status }) => status === 'sending' || status === 'waiting');

export function evolve(alerts: Alerts, event: AlertEvent): Alerts {
  switch (event.type) {
    case 'AlertRaised':
      return {
        ...alerts,
        open: bounded({ ...alerts.open, [event.data.key]: { ...event.data, told: false } }),
      };
    case 'AlertCleared': {
      const { [event.data.key]: cleared, ...open } = alerts.open;
      if (!cleared || !event.data.over) return { ...alerts, open };
      const line = { text: cleared.text, link: cleared.link, over: true } as const;
      return { ...alerts, open, over: [...alerts.over, line].slice(-MAX_OVER) };
    }
    case 'AlertMessageStarted':
      return started(alerts, event.data);
    case 'AlertAttemptStarted': {
      const { attempt, at } = event.data;
      const sending = {
        status: 'sending',
        attempts: attempt,
        startedAt: at,
        nextAttemptAt: undefined,
      } as const;
      return changed(alerts, event.data, () => sending);
    }
    case 'AlertDelivered':
      return changed(alerts, event.data, () => ({ status: 'sent', reason: undefined }));
    case 'AlertAttemptFailed': {
      const { reason, nextAttemptAt } = event.data;
      const status = nextAttemptAt === undefined ? 'failed' : 'waiting';
      const next = changed(alerts, event.data, ({ failures, refusals }) => ({
        ...{ status, reason, nextAttemptAt },
        failures: failures + 1,
        refusals: REFUSAL.test(reason) ? refusals + 1 : refusals,
      }));
      return reason === CHANNEL_REMOVED ? untold(next, event.data.messageId) : next;
    }
  }
}

function started(alerts: Alerts, { channels, ...message }: AlertEventData['AlertMessageStarted']): Alerts {
  const { at, test } = message;
  const noSend = { status: 'waiting', attempts: 0, failures: 0, refusals: 0, startedAt: at } as const;
  const sends = channels.map((channelId) => ({ channelId, ...noSend }));
  const next = {
    started: [...alerts.started.filter((one) => one.at > plus(at, -HOUR_MS)), { at, test }],
    messages: kept([...alerts.messages, { ...message, sends }]),
  };
  if (test) return { ...alerts, ...next };
  const told = Object.entries(alerts.open).map(([key, alert]) => [key, { ...alert, told: true }] as const);
  return { open: Object.fromEntries(told), over: [], ...next };
}

/** If no channel delivered the message, the next message repeats its lasting conditions. */
function untold(alerts: Alerts, messageId: string): Alerts {
  const message = alerts.messages.find((one) => one.messageId === messageId);
  if (!message || isUnfinished(message) || message.sends.some(({ status }) => status === 'sent'))
    return alerts;
  const isIn = ({ text, link }: OpenAlert) =>
    message.lines.some((line) => !line.over && line.text === text && line.link === link);
  const open = Object.entries(alerts.open).map(
    ([key, alert]) => [key, isIn(alert) ? { ...alert, told: false } : alert] as const,
  );
  return { ...alerts, open: Object.fromEntries(open) };
}

/** Drops the oldest failure, else the oldest: what lasts would be raised and told again. */
function bounded(open: Alerts['open']): Alerts['open'] {
  const entries = Object.entries(open);
  if (entries.length <= MAX_OPEN) return open;
  const dropped = entries.find(([, { kind }]) => WITHOUT_END.includes(kind)) ?? entries[0];
  return Object.fromEntries(entries.filter((entry) => entry !== dropped));
}

function kept(messages: readonly Message[]): readonly Message[] {
  const finished = messages.filter((message) => !isUnfinished(message));
  const dropped = new Set(finished.slice(0, Math.max(0, finished.length - KEPT_MESSAGES)));
  return messages.filter((message) => !dropped.has(message));
}

function changed(
  alerts: Alerts,
  { messageId, channelId }: { readonly messageId: string; readonly channelId: string },
  change: (send: Send) => Partial<Send>,
): Alerts {
  const messages = alerts.messages.map((message) => {
    if (message.messageId !== messageId) return message;
    const sends = message.sends.map((send) =>
      send.channelId === channelId ? { ...send, ...change(send) } : send,
    );
    return { ...message, sends };
  });
  return { ...alerts, messages };
}
