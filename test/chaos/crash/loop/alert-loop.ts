import { joined } from '../../../kit/panel.js';
import { chanceFrom } from '../../../kit/random.js';
import { pause, until } from '../../../kit/polling.js';
import { SmtpReceiver } from '../../../kit/smtp-receiver.js';
import type { StoredEvent } from '../../../kit/stored-events.js';
import { WebhookReceiver } from '../../../kit/webhook-receiver.js';
import { openAccount } from '../../../kit/world.js';
import type { SeedFolder, World } from '../kit/world.js';

export interface AlertRun {
  readonly kills: number;
  readonly seed: number;
}

export interface AlertTally {
  readonly conditions: number;
  /** Conditions that a channel has not told. */
  readonly lost: number;
  /** Conditions that a channel told in two messages, or again after an acknowledgement on record. */
  readonly doubled: number;
  /** Repetitions of attempts without an outcome on record, which say so. */
  readonly repeated: number;
}

/** Alternating, so that none reaches sixty messages in the hour. */
const ACCOUNTS = 2;
/** API keys that end soon: each is one condition. */
const KEYS_A_ROUND = 2;
/** A look follows an event within half a second; the message leaves right after it. */
const EARLIEST_KILL_MS = 100;
const LATEST_KILL_MS = 1_200;
const TOLD_WITHIN_MS = 180_000;
/** Past the delays after which attempts without an outcome are repeated. */
const REPEATED_AFTER_MS = 600_000;
const WEEK_MS = 7 * 86_400_000;

/** Kills a service that sends alerts by mail and chat, repeatedly, and checks what each channel received. */
export async function alertLoop(folder: SeedFolder, { kills, seed }: AlertRun): Promise<AlertTally> {
  const [smtp, chat] = await Promise.all([SmtpReceiver.start(), WebhookReceiver.start()]);
  const world = await folder.grow({
    ALERTS_SMTP_URL: smtp.url,
    ALERTS_MAIL_FROM: 'print@example.com',
    WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
  });
  const later = world.later(REPEATED_AFTER_MS);
  try {
    await world.start();
    const accountIds = [];
    for (let n = 0; n < ACCOUNTS; n++) accountIds.push(await watched(world, n, chat.port));
    const chance = chanceFrom(seed);
    for (let n = 0; n < kills; n++) {
      await createKeys(world, accountIds[n % ACCOUNTS]!, n);
      await pause(EARLIEST_KILL_MS + chance() * (LATEST_KILL_MS - EARLIEST_KILL_MS));
      await world.service.kill();
      if (n < kills - 1) await world.start();
    }
    await later.start();
    const events = await until('every alert to arrive', TOLD_WITHIN_MS, async () => {
      const stored = await later.events();
      return isTold(stored) ? stored : (await pause(1_000), undefined);
    });
    return tallyOf(events, receivedOf(smtp, chat));
  } finally {
    await later.remove();
    await world.remove();
    await Promise.all([smtp.close(), chat.close()]);
  }
}

async function watched(world: World, n: number, chatPort: number): Promise<string> {
  const { accountId } = await openAccount(world, { slug: `watched-${n}` });
  const { browser } = await joined(world, accountId, 'bea', 'owner');
  const channels = [
    { type: 'mail', to: 'bea@example.com' },
    { type: 'slack', to: `http://127.0.0.1:${chatPort}/ok` },
  ];
  const choice = { kinds: ['credential_ends'], channels, pace: 'at_once', when_over: false };
  const chosen = await browser.call('PUT', '/panel/alerts', choice);
  if (chosen.status !== 200) throw new Error(chosen.text);
  return accountId;
}

async function createKeys(world: World, accountId: string, round: number): Promise<void> {
  const expires_at = new Date(Date.now() + WEEK_MS).toISOString();
  for (let n = 0; n < KEYS_A_ROUND; n++) {
    const key = { name: `key-${round}-${n}-`, scopes: ['jobs:read'], expires_at };
    await world.operate('POST', `/accounts/${accountId}/keys`, key);
  }
}

const keysOf = (events: readonly StoredEvent[]) =>
  events.flatMap(({ type, data }) => {
    const name = String(data.name ?? '');
    return type === 'ApiKeyCreated' && /^key-\d+-\d+-$/.test(name) ? [name] : [];
  });

const keysIn = (text: string) => text.match(/key-\d+-\d+-/g) ?? [];

/** All keys are in messages that both channels acknowledged. */
function isTold(events: readonly StoredEvent[]): boolean {
  const messages = events.filter(({ type }) => type === 'AlertMessageStarted');
  const told = messages.flatMap(({ data }) => keysIn(JSON.stringify(data.lines)));
  const delivered = events.filter(({ type }) => type === 'AlertDelivered').length;
  return told.length >= keysOf(events).length && delivered === messages.length * 2;
}

interface Received {
  readonly keys: readonly string[];
  /** The message says that it may be a repetition. */
  readonly isMarked: boolean;
}

function receivedOf(
  smtp: SmtpReceiver,
  chat: WebhookReceiver,
): Readonly<Record<string, readonly Received[]>> {
  const received = (text: string) => ({ keys: keysIn(text), isMarked: text.includes('Perhaps you have') });
  return {
    mail: smtp.mails.map(({ text }) => received(text)),
    chat: chat.requests.map(({ body }) => received(body.toString())),
  };
}

function tallyOf(
  events: readonly StoredEvent[],
  channels: Readonly<Record<string, readonly Received[]>>,
): AlertTally {
  const keys = keysOf(events);
  const tally = { conditions: keys.length, lost: 0, doubled: 0, repeated: 0 };
  const again = events.filter(({ type, data }) => type === 'AlertAttemptStarted' && Number(data.attempt) > 1);
  for (const received of Object.values(channels)) {
    const firsts = received.filter(({ isMarked }) => !isMarked);
    const times = (among: readonly Received[], key: string) =>
      among.filter((one) => one.keys.includes(key)).length;
    tally.lost += keys.filter((key) => times(received, key) === 0).length;
    tally.doubled += keys.filter((key) => times(firsts, key) > 1).length;
    tally.repeated += received.filter(
      ({ isMarked, keys: [key] }) => isMarked && key !== undefined && times(firsts, key) > 0,
    ).length;
  }
  expect(tally.repeated).toBeLessThanOrEqual(again.length);
  return tally;
}
