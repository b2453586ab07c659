import { readFileSync } from 'node:fs';
import { Talk, type Conversations, type Step } from './conversation.js';
import { appending } from './conversations/appending.js';
import { asking } from './conversations/asking.js';
import { deleting } from './conversations/deleting.js';
import { reading } from './conversations/reading.js';
import { subscribing } from './conversations/subscribing.js';
import { normalised } from './normalising.js';
import { Session } from './session.js';

export type Recording = Readonly<Record<string, readonly Step[]>>;

/** In the order in which they were recorded. */
const conversations: Conversations = {
  ...appending,
  ...reading,
  ...subscribing,
  ...deleting,
  ...asking,
};

export const NAMES: readonly string[] = Object.keys(conversations);

/**
 * Has one conversation with the server at `address` (host:port). Writes to it, under a prefix of its own; never point
 * it at a store that anything else uses.
 */
export async function play(name: string, address: string): Promise<readonly Step[]> {
  const session = new Session(address);
  const talk = new Talk(session);
  try {
    await conversations[name]!(talk);
    await Promise.allSettled(session.background);
  } finally {
    session.close();
  }
  return normalised(talk.steps, session.prefix);
}

/** Beside the sources, whether this file is run as it is (by Jest) or from the build. */
export const fileOf = (version: string): URL =>
  new URL(`eventstoredb/${version}.json`, import.meta.url.replace(/\/dist(\/test\/recordings\/)/, '$1'));

/** What a version answered. */
export const recordingOf = (version: string): Recording =>
  JSON.parse(readFileSync(fileOf(version), 'utf8')) as Recording;

/** One text for each step that was answered otherwise than recorded; exact, down to the order of fields. */
export function differences(played: readonly Step[], recorded: readonly Step[] = []): string[] {
  const steps = Array.from({ length: Math.max(played.length, recorded.length) }, (_, n) => n);
  return steps.flatMap((n) => {
    const [here, there] = [JSON.stringify(played[n]), JSON.stringify(recorded[n])];
    const what = played[n]?.what ?? recorded[n]?.what;
    return here === there ? [] : [`${what}\n  recorded ${there}\n  here     ${here}`];
  });
}
