import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventLog } from './event-log.js';

/** source: Enumerators.ReadBatchSize – the search window when the client names none */
const SEARCH_WINDOW = 32;

export type Matches = (ordinal: number) => boolean;

/** By a regular expression, or else by any of several prefixes; of the type, or of the stream's name. source: Streams.Read */
export function matcherOf(filter: ReadReq.Options.FilterOptions | undefined, log: EventLog): Matches {
  if (!filter) return (ordinal) => !log.isScavenged(ordinal);
  const onType = filter.hasEventType();
  const expression = onType ? filter.getEventType()! : filter.getStreamIdentifier()!;
  const regex = expression.getRegex();
  const prefixes = expression.getPrefixList();
  const pattern = new RegExp(regex);
  const test = (text: string) =>
    regex === '' ? prefixes.some((prefix) => text.startsWith(prefix)) : pattern.test(text);
  if (!onType) return (ordinal) => !log.isScavenged(ordinal) && test(log.streamNameAt(ordinal));
  const known = new Map<string, boolean>();
  return (ordinal) => {
    if (log.isScavenged(ordinal)) return false;
    const type = log.typeAt(ordinal);
    const answer = known.get(type) ?? test(type);
    known.set(type, answer);
    return answer;
  };
}

/** Considered events from one checkpoint to the next. source: AllSubscriptionFiltered */
export function checkpointInterval(filter: ReadReq.Options.FilterOptions): number {
  const window = filter.hasMax() ? filter.getMax() : SEARCH_WINDOW;
  return window * filter.getCheckpointintervalmultiplier();
}
