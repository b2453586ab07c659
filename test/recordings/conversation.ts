import { setTimeout as sleep } from 'node:timers/promises';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Shown } from './plain.js';
import {
  appendMessages,
  expect,
  readRequest,
  streamIdentifier,
  type Event,
  type Expected,
  type Filter,
  type Position,
  type Reading,
} from './requests.js';
import type { Answered, Heard as Received, Listening, Session } from './session.js';

/** One call of a conversation and what came of it. */
export interface Step {
  readonly what: string;
  readonly [kept: string]: unknown;
}

export type Conversation = (talk: Talk) => Promise<void>;
export type Conversations = Readonly<Record<string, Conversation>>;

type Appended = Answered<streams.AppendResp>;

/** What conversations are made of. Names of streams are put under the prefix of the run, but for those of the system. */
export class Talk {
  readonly steps: Step[] = [];

  constructor(readonly session: Session) {}

  /** Passes only events of this run. */
  get ours(): Filter {
    return { by: 'stream', prefixes: [this.session.prefix], window: 32 };
  }

  note<T extends object>(what: string, result: T): T {
    const { raw: _, ...kept } = result as T & { raw?: unknown };
    this.steps.push({ what, ...kept });
    return result;
  }

  append(
    stream: string,
    expected: Expected,
    events: readonly Event[],
    headers?: Record<string, string>,
  ): Promise<Appended> {
    const messages = appendMessages(this.named(stream), expected, events);
    return this.session.ask<streams.AppendResp>((metadata, options, done) => {
      const call = this.session.streams.append(metadata, options, done);
      for (const message of messages) call.write(message);
      call.end();
    }, headers);
  }

  delete(stream: string, expected: Expected): Promise<Answered<streams.DeleteResp>> {
    const options = new streams.DeleteReq.Options();
    options.setStreamIdentifier(streamIdentifier(this.named(stream)));
    expect(options, expected);
    const request = new streams.DeleteReq();
    request.setOptions(options);
    return this.session.ask((...how) => this.session.streams.delete(request, ...how));
  }

  tombstone(stream: string, expected: Expected): Promise<Answered<streams.TombstoneResp>> {
    const options = new streams.TombstoneReq.Options();
    options.setStreamIdentifier(streamIdentifier(this.named(stream)));
    expect(options, expected);
    const request = new streams.TombstoneReq();
    request.setOptions(options);
    return this.session.ask((...how) => this.session.streams.tombstone(request, ...how));
  }

  read(reading: Reading, listening: Listening = {}): Promise<Received> {
    const { stream } = reading;
    const named = stream === undefined ? reading : { ...reading, stream: this.named(stream) };
    return this.session.read(readRequest(named), listening);
  }

  /** A read just behind an append may still see the past (both versions): asks again until it shows something. */
  async readShown(reading: Reading): Promise<Received> {
    for (let n = 0; ; n++) {
      const heard = await this.read(reading);
      if (n === 20 || !heard.messages.some(({ streamNotFound }) => streamNotFound)) return heard;
      await sleep(10);
    }
  }

  /** Runs work beside a subscription. */
  meanwhile(work: Promise<unknown>): void {
    this.session.background.push(work);
  }

  private named(stream: string): string {
    return stream.startsWith('$$') ? `$$${this.named(stream.slice(2))}` : `${this.session.prefix}-${stream}`;
  }
}

/** Where the last event of an append stands. @throws when it failed */
export function placeOf({ raw }: Appended): Position {
  const position = raw!.getSuccess()!.getPosition()!;
  return { commit: position.getCommitPosition(), prepare: position.getPreparePosition() };
}

export const moved = ({ commit, prepare }: Position, bytes: bigint): Position => ({
  commit: (BigInt(commit) + bytes).toString(),
  prepare: (BigInt(prepare) + bytes).toString(),
});

/** Without checkpoints, whose number depends on what else is in the log. */
export const quiet = (heard: Received): Received => ({
  ...heard,
  messages: heard.messages.filter(({ checkpoint }) => !checkpoint),
});

export const typesOf = ({ messages }: Received): string[] =>
  messages.flatMap(({ event }) => (event ? [event.event.metadata.type!] : []));

/** Which answers an append got, or which error. */
export const kindOf = ({ answer, error }: Answered<unknown>): string =>
  answer ? Object.keys(answer).join() : error!;

/** The field that is set. */
export const kindOfMessage = (message: Shown): string =>
  Object.keys(message).find((key) => typeof message[key] === 'object') ?? Object.keys(message)[0]!;
