import type { Credentials } from '@eventstore/db-client';
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';

export interface JudgedUrl {
  /** Passed with every call, which makes the client use one call per append. Not sent without TLS. */
  readonly credentials: Credentials;
  /** Warnings for the operator, without secrets. */
  readonly warnings: readonly string[];
}

/** Other options are rejected first, because the parser's warning would log the whole URL. */
const OPTIONS: ReadonlySet<string> = new Set(
  [
    'tls tlsCAFile userCertFile userKeyFile connectionName defaultDeadline throwOnAppendFailure nodePreference',
    'maxDiscoverAttempts discoveryInterval gossipTimeout keepAliveInterval keepAliveTimeout',
  ].flatMap((names) => names.toLowerCase().split(' ')),
);

const UNSENT: Credentials = { username: 'unsent', password: 'unsent' };
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3})$/;

/** @throws Error whose text contains no part of the URL, which may hold a password. */
export function judgeUrl(url: string): JudgedUrl {
  const { tls = true, defaultCredentials, throwOnAppendFailure, nodePreference, hosts } = parsed(url);
  if (throwOnAppendFailure === false) {
    throw new Error('the event store URL may not set throwOnAppendFailure=false: conflicts would go unseen');
  }
  if (nodePreference !== undefined && nodePreference !== 'leader') {
    throw new Error('the event store URL may not prefer another node than the leader: others may be behind');
  }
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
  return { credentials: defaultCredentials ?? UNSENT, warnings };
}

function parsed(url: string): ReturnType<typeof parseConnectionString> {
  const [, query = ''] = url.split('?');
  for (const [key = ''] of query.split('&').map((pair) => pair.split('='))) {
    if (key !== '' && !OPTIONS.has(key.toLowerCase().replace(/[_-]/g, ''))) {
      throw new Error(`the event store URL has an option that does nothing here: ${key}`);
    }
  }
  try {
    return parseConnectionString(url);
  } catch (error) {
    const { expected } = error as { expected?: string };
    throw new Error(`the event store URL cannot be read${expected ? `: ${expected} expected` : ''}`);
  }
}
