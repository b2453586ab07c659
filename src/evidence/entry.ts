import { hash } from 'node:crypto';
import { CorruptEventError } from '../kernel/errors.js';
import { categoryOf, idOf } from '../kernel/ids.js';
import type { Position } from '../kernel/recorded-event.js';

/** An event with its texts as stored, before any upcaster. */
export interface LoggedEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** What the body of an entry has. */
type BodyOf = Pick<LoggedEvent, 'id' | 'type' | 'data' | 'metadata'>;

/** Categories that are not logged: claims and deliveries are deleted some day, and a move leaves the token behind. */
export const NEVER_LOGGED = ['claim', 'delivery', 'operatorToken'] as const;
/** Not in the log, also because they describe it. */
const NOT_LOGGED: ReadonlySet<string> = new Set([...NEVER_LOGGED, 'evidence']);
/** Their streams are named by an account. */
const NAMED_BY_ACCOUNT: ReadonlySet<string> = new Set(['account', 'webhooks', 'members']);
/** Whose events belong to no account. */
export const SYSTEM = 'system';
/** What an entry can name: ASCII without spaces. */
const NAME = /^[\x21-\x7e]{1,200}$/;
/** The account of a job, after no more than plain texts. Parsing all of its data costs twenty times as much. */
const ACCOUNT_ID = /^\{(?:"\w+":"[^"\\]*",){0,3}"accountId":"([\w-]{1,200})"/;
/** Texts that JSON writes as they are. */
const PLAIN = /^[\w-]*$/;

export function isLogged(stream: string): boolean {
  return !NOT_LOGGED.has(categoryOf(stream));
}

/** The account that the name of the stream tells, if it does. */
export function accountInName(stream: string): string | undefined {
  return NAMED_BY_ACCOUNT.has(categoryOf(stream)) ? idOf(stream) : undefined;
}

/** The first event of a stream, with its data as stored. */
type FirstEvent = Pick<LoggedEvent, 'stream' | 'data'> & { readonly position: Position };

/**
 * The account whose chain has all events of a stream, or `system`.
 * @throws CorruptEventError if the data is no JSON: nothing tells whose events these are
 */
export function accountOf({ stream, data: text, position }: FirstEvent): string {
  const named = accountInName(stream) ?? ACCOUNT_ID.exec(text)?.[1];
  if (named !== undefined) return named;
  try {
    const data = JSON.parse(text) as { accountId?: unknown; user?: { accountId?: unknown } | null } | null;
    const found = data?.accountId ?? data?.user?.accountId;
    return typeof found === 'string' && NAME.test(found) ? found : SYSTEM;
  } catch (cause) {
    throw new CorruptEventError(stream, 0, position, { cause });
  }
}

/** What a stored text holds. Forged texts may be no object of JSON, which must not end the reading: then it is empty. */
export function objectIn<T extends object>(text: string): Partial<T> {
  try {
    return { ...(JSON.parse(text) as T | null) };
  } catch {
    return {};
  }
}

/** The text of which an entry has the hash. */
export function bodyOf({ id, type, data, metadata }: BodyOf): string {
  return `{"id":${quoted(id)},"type":${quoted(type)},"data":${data},"metadata":${metadata}}`;
}

const quoted = (text: string) => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** SHA-256 of the body, base64. */
export const bodyHash = (event: BodyOf): string => hash('sha256', bodyOf(event), 'base64');

/** Place of an entry in the chain of its account. */
export interface Link {
  readonly account: string;
  /** Counts the entries of the account from 0. */
  readonly seq: number;
  /** Leaf hash of the entry before, base64; undefined for the first. */
  readonly prev: string | undefined;
}

/** One line without its end. */
export function entryOf({ account, seq, prev }: Link, event: LoggedEvent): string {
  const { stream, revision } = event;
  return `rps1 ${account} ${seq} ${prev ?? '-'} ${stream} ${revision} ${bodyHash(event)}`;
}

/** RFC 6962, section 2.1, base64. */
export function leafHash(entry: string): string {
  return hash('sha256', `\0${entry}`, 'base64');
}
