import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

const META = {
  actor: { kind: 'process', id: 'recording' },
  correlationId: 'c',
  at: '2026-11-22T00:00:00.000Z',
  schemaVersion: 1,
};

const { AppendReq, ReadReq } = streams;
const { Options } = ReadReq;
export const empty = () => new shared.Empty();
const base64 = (text: string): string => Buffer.from(text).toString('base64');

export type Expected = 'any' | 'no_stream' | 'exists' | number | undefined;

export interface Event {
  readonly id: string;
  readonly message: streams.AppendReq.ProposedMessage;
}

interface EventParts {
  readonly data?: unknown;
  readonly id?: string;
  readonly contentType?: string;
  readonly drop?: 'id' | 'type' | 'content-type';
}

/** Data that is no text is written as JSON. */
export function event(type = 'Probe', parts: EventParts = {}): Event {
  const { data = { n: 1 }, id = randomUUID(), contentType = 'application/json', drop } = parts;
  const message = new AppendReq.ProposedMessage();
  const uuid = new shared.UUID();
  uuid.setString(id);
  if (drop !== 'id') message.setId(uuid);
  const headers = message.getMetadataMap();
  if (drop !== 'type') headers.set('type', type);
  if (drop !== 'content-type') headers.set('content-type', contentType);
  message.setCustomMetadata(base64(JSON.stringify(META)));
  message.setData(base64(typeof data === 'string' ? data : JSON.stringify(data)));
  return { id, message };
}

export function streamIdentifier(name: string): shared.StreamIdentifier {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(base64(name));
  return identifier;
}

interface ExpectationSetters {
  setAny(value: shared.Empty): unknown;
  setNoStream(value: shared.Empty): unknown;
  setStreamExists(value: shared.Empty): unknown;
  setRevision(value: string): unknown;
}

export function expect(options: ExpectationSetters, expected: Expected): void {
  if (expected === 'any') options.setAny(empty());
  else if (expected === 'no_stream') options.setNoStream(empty());
  else if (expected === 'exists') options.setStreamExists(empty());
  else if (expected !== undefined) options.setRevision(String(expected));
}

/** Options first, then one message an event. */
export function appendMessages(
  stream: string,
  expected: Expected,
  events: readonly Event[],
): streams.AppendReq[] {
  const options = new AppendReq.Options();
  options.setStreamIdentifier(streamIdentifier(stream));
  expect(options, expected);
  const first = new AppendReq();
  first.setOptions(options);
  const rest = events.map(({ message }) => {
    const request = new AppendReq();
    request.setProposedMessage(message);
    return request;
  });
  return [first, ...rest];
}

export interface Position {
  readonly commit: string;
  readonly prepare: string;
}

export interface Filter {
  readonly by?: 'stream' | 'type';
  readonly regex?: string;
  readonly prefixes?: readonly string[];
  /** Events that are searched at a time; none = the server's choice. */
  readonly window?: number;
  readonly interval?: number;
}

export interface Reading {
  /** Left out = everything. */
  readonly stream?: string;
  readonly from?: 'start' | 'end' | number | Position;
  readonly backwards?: boolean;
  readonly count?: number;
  readonly filter?: Filter;
  readonly subscribe?: boolean;
}

export function readRequest(reading: Reading): streams.ReadReq {
  const options = new Options();
  if (reading.stream === undefined) options.setAll(allOptions(reading.from));
  else options.setStream(streamOptions(reading.stream, reading.from));
  options.setReadDirection(reading.backwards ? 1 : 0);
  options.setResolveLinks(false);
  if (reading.subscribe) options.setSubscription(new Options.SubscriptionOptions());
  else options.setCount(String(reading.count ?? 1000));
  if (reading.filter) options.setFilter(filterOptions(reading.filter));
  else options.setNoFilter(empty());
  const ids = new Options.UUIDOption();
  ids.setString(empty());
  options.setUuidOption(ids);
  const control = new Options.ControlOption();
  control.setCompatibility(1);
  options.setControlOption(control);
  const request = new ReadReq();
  request.setOptions(options);
  return request;
}

function streamOptions(stream: string, from: Reading['from']): streams.ReadReq.Options.StreamOptions {
  const options = new Options.StreamOptions();
  options.setStreamIdentifier(streamIdentifier(stream));
  if (from === undefined || from === 'start') options.setStart(empty());
  else if (from === 'end') options.setEnd(empty());
  else options.setRevision(String(from));
  return options;
}

function allOptions(from: Reading['from']): streams.ReadReq.Options.AllOptions {
  const options = new Options.AllOptions();
  if (from === undefined || from === 'start') options.setStart(empty());
  else if (typeof from === 'object') {
    const position = new Options.Position();
    position.setCommitPosition(from.commit);
    position.setPreparePosition(from.prepare);
    options.setPosition(position);
  } else options.setEnd(empty());
  return options;
}

function filterOptions(filter: Filter): streams.ReadReq.Options.FilterOptions {
  const options = new Options.FilterOptions();
  const expression = new Options.FilterOptions.Expression();
  if (filter.regex) expression.setRegex(filter.regex);
  for (const one of filter.prefixes ?? []) expression.addPrefix(one);
  if (filter.by === 'stream') options.setStreamIdentifier(expression);
  else options.setEventType(expression);
  if (filter.window === undefined) options.setCount(empty());
  else options.setMax(filter.window);
  options.setCheckpointintervalmultiplier(filter.interval ?? 4);
  return options;
}
