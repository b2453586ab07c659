import type { Credentials } from '@eventstore/db-client';
import { parseConnectionString as parseOptions } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import type { Milliseconds } from '../../../kernel/time.js';

export interface ClientSettings {
  /** The operator's URL without its keepalive options, with a `gossipTimeout`. */
  readonly url: string;
  readonly isCluster: boolean;
  /** Pings after `intervalMs` without traffic; drops the connection without an answer in `timeoutMs`. */
  readonly keepAlive: { readonly intervalMs: Milliseconds; readonly timeoutMs: Milliseconds };
}

export interface ParsedConnectionString {
  readonly client: ClientSettings;
  /** Passed with every call, which makes the client use one call per append. Not sent without TLS. */
  readonly credentials: Credentials;
  readonly warnings: readonly string[];
}

/** Checked first, because the parser's warning would log the whole URL. */
const OPTIONS: ReadonlySet<string> = new Set(
  [
    'tls tlsCAFile userCertFile userKeyFile connectionName defaultDeadline throwOnAppendFailure nodePreference',
    'maxDiscoverAttempts discoveryInterval gossipTimeout keepAliveInterval keepAliveTimeout',
  ].flatMap((names) => names.toLowerCase().split(' ')),
);

/** -1 would switch pings off, and each silent node costs the gossip timeout. */
const LIMITS = {
  keepAliveInterval: { atLeast: 100, atMost: 10_000, unit: 'ms' },
  keepAliveTimeout: { atLeast: 100, atMost: 10_000, unit: 'ms' },
  gossipTimeout: { atLeast: 1, atMost: 5, unit: 's' },
} as const;

/** Together at most 5 s, less than a cluster takes to replace a frozen leader (7 s). */
const KEEP_ALIVE_INTERVAL_MS: Milliseconds = 1_000;
/** A healthy server, or our own event loop, may stall for 2 to 3 s. */
const KEEP_ALIVE_TIMEOUT_MS: Milliseconds = 4_000;
/** Per node during the search for the leader; healthy ones answer in milliseconds. */
const GOSSIP_TIMEOUT_S = 1;

const UNSENT: Credentials = { username: 'unsent', password: 'unsent' };
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3})$/;

/** What KurrentDB calls the scheme; the client knows the older name only (docs/decisions/127-one-client-for-kurrentdb.md). */
const KURRENTDB = /^kurrentdb(?=(\+discover)?:)/i;

/** @throws Error without any part of the URL, which may hold a password */
export function parseConnectionString(given: string): ParsedConnectionString {
  const url = given.trim().replace(KURRENTDB, 'esdb');
  const { tls = true, defaultCredentials, hosts, dnsDiscover, ...options } = parsed(url);
  refuseUnfit(options);
  if (tls && !defaultCredentials) {
    throw new Error('the event store URL needs user and password: with TLS nothing can be read without');
  }
  const warnings: string[] = [];
  const remote = hosts.filter(({ address }) => !LOOPBACK.test(address));
  if (!tls && remote.length > 0) {
    warnings.push(`no TLS to the event store on ${remote.map(({ address }) => address).join(', ')}`);
  }
  if (!tls && defaultCredentials) {
    warnings.push('user and password of the event store are not sent without TLS');
  }
  const { keepAliveInterval, keepAliveTimeout } = options;
  const keepAlive = {
    intervalMs: keepAliveInterval ?? KEEP_ALIVE_INTERVAL_MS,
    timeoutMs: keepAliveTimeout ?? KEEP_ALIVE_TIMEOUT_MS,
  };
  const isCluster = dnsDiscover || hosts.length > 1;
  const client = { url: clientUrl(url, options.gossipTimeout), isCluster, keepAlive };
  return { client, credentials: defaultCredentials ?? UNSENT, warnings };
}

type ParsedOptions = ReturnType<typeof parseOptions>;

function refuseUnfit(options: Omit<ParsedOptions, 'hosts' | 'dnsDiscover'>): void {
  if (options.throwOnAppendFailure === false) {
    throw new Error('the event store URL may not set throwOnAppendFailure=false: conflicts would go unseen');
  }
  if (options.nodePreference !== undefined && options.nodePreference !== 'leader') {
    throw new Error('the event store URL may not prefer another node than the leader: others may be behind');
  }
  for (const name of Object.keys(LIMITS) as (keyof typeof LIMITS)[]) {
    const { atLeast, atMost, unit } = LIMITS[name];
    const value = options[name];
    if (value === undefined || (value >= atLeast && value <= atMost)) continue;
    throw new Error(
      `the event store URL sets ${name}=${value}: ${atLeast} to ${atMost} ${unit} are allowed, ` +
        'or a silent server would be noticed too late',
    );
  }
}

/** The keepalive is set on the connection: the client warns on stderr about values below 10 s. */
function clientUrl(url: string, gossipTimeout: number | undefined): string {
  const [base, query = ''] = url.split('?');
  const kept = query.split('&').filter((pair) => pair !== '' && !KEEP_ALIVE.test(pair));
  if (gossipTimeout === undefined) kept.push(`gossipTimeout=${GOSSIP_TIMEOUT_S}`);
  return `${base}?${kept.join('&')}`;
}

const KEEP_ALIVE = /^keep[_-]?alive[_-]?(interval|timeout)=/i;

function parsed(url: string): ParsedOptions {
  const [, query = ''] = url.split('?');
  for (const [key = ''] of query.split('&').map((pair) => pair.split('='))) {
    if (key !== '' && !OPTIONS.has(key.toLowerCase().replace(/[_-]/g, ''))) {
      throw new Error(`the event store URL has an option that does nothing here: ${key}`);
    }
  }
  try {
    return parseOptions(url);
  } catch (error) {
    const { expected } = error as { expected?: string };
    throw new Error(`the event store URL cannot be read${expected ? `: ${expected} expected` : ''}`);
  }
}
