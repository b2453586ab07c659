import { kindOfMessage, moved, placeOf, quiet, typesOf, type Conversations } from '../conversation.js';
import { event, type Position } from '../requests.js';
import type { Listening } from '../session.js';

const BEYOND = { commit: '900000000000000', prepare: '900000000000000' };
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

type Until = NonNullable<Listening['until']>;
const isCaughtUp: Until = (messages) => messages.some((message) => message.hasCaughtUp());
const hasEvents =
  (count: number): Until =>
  (messages) =>
    messages.filter((message) => message.hasEvent()).length >= count;

/** Starts work once, when the subscription is live. */
function whenLive(work: () => void): NonNullable<Listening['during']> {
  let begun = false;
  return (messages) => {
    if (begun || !isCaughtUp(messages)) return;
    begun = true;
    work();
  };
}

export const subscribing: Conversations = {
  async "subscribe: from the start of a stream's story to live"(talk) {
    const first = await talk.append('a', 'no_stream', [event('A0'), event('A1')]);
    await talk.append('b', 'no_stream', [event('B0')]);
    const more = async () => {
      await talk.append('a', 1, [event('A2')]);
      await talk.append('c', 'no_stream', [event('C0'), event('C1')]);
    };
    const heard = await talk.read(
      { subscribe: true, from: placeOf(first), filter: talk.ours },
      { until: hasEvents(4), during: whenLive(() => talk.meanwhile(more())), ms: 8_000 },
    );
    const kinds = quiet(heard).messages.map(kindOfMessage);
    talk.note('kinds of messages', { end: heard.end, messages: kinds });
    talk.note('types', { types: typesOf(heard) });
    talk.note('the first message', { first: heard.messages[0] });
  },

  async 'subscribe: exclusive start'(talk) {
    const first = placeOf(await talk.append('a', 'no_stream', [event('A0'), event('A1')]));
    const second = placeOf(await talk.append('b', 'no_stream', [event('B0')]));
    const types = async (what: string, from: Position | 'end') => {
      const subscription = { subscribe: true, from, filter: talk.ours };
      const heard = await talk.read(subscription, { until: isCaughtUp, ms: 5_000 });
      talk.note(what, { end: heard.end, types: typesOf(heard) });
    };
    await types('behind the first append', first);
    await types('behind the second', second);
    await types('one byte further', moved(first, 1n));
    await types('one byte before', moved(first, -1n));
    await types('beyond the end', BEYOND);
    await types('from the end', 'end');
  },

  async 'subscribe: checkpoints'(talk) {
    const first = await talk.append('a', 'no_stream', [event('A0')]);
    for (let n = 0; n < 6; n++) {
      const others = times(50, () => event('Other'));
      await talk.append(`other-${n}`, 'no_stream', others);
    }
    const nothing = { by: 'type', prefixes: ['Nothing'], window: 32 } as const;
    const heard = await talk.read(
      { subscribe: true, from: placeOf(first), filter: { ...nothing, interval: 2 } },
      { until: isCaughtUp, ms: 6_000 },
    );
    talk.note('while catching up on 300 events that do not match, one per 64', {
      checkpoints: heard.messages.some(({ checkpoint }) => checkpoint) ? 'some' : 'none',
      caughtUp: heard.messages.some(({ caughtUp }) => caughtUp),
      end: heard.end,
    });
    let live = false;
    const others = async () => {
      for (let n = 0; n < 80; n++) await talk.append(`live-${n}`, 'no_stream', [event('Other')]);
    };
    const begin = () => {
      live = true;
      talk.meanwhile(others());
    };
    const hasCheckpoint: Until = (messages) => live && messages.some((message) => message.hasCheckpoint());
    const later = await talk.read(
      { subscribe: true, from: 'end', filter: { ...nothing, interval: 1 } },
      { until: hasCheckpoint, during: whenLive(begin), ms: 8_000 },
    );
    const checkpoint = later.messages.some((message) => message.checkpoint);
    talk.note('live, one per 32', { checkpoint, end: later.end });
  },

  async 'subscribe: an append of 400 events, with a reader that keeps up'(talk) {
    const big = times(400, (n) => event('Big', { data: { n, pad: 'x'.repeat(1000) } }));
    const heard = await talk.read(
      { subscribe: true, from: 'end', filter: talk.ours },
      {
        until: hasEvents(400),
        during: whenLive(() => talk.meanwhile(talk.append('a', 'no_stream', big))),
        ms: 10_000,
      },
    );
    const numbers = heard.messages.flatMap((message) =>
      message.event ? [(JSON.parse(message.event.event.data) as { n: number }).n] : [],
    );
    talk.note('what came of it', {
      end: heard.end,
      inOrder: numbers.every((n, index) => n === index),
      all: numbers.length === 400,
    });
  },
};
