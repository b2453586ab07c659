import { isIP } from 'node:net';

export interface Target {
  readonly url: URL;
  /** Broken rule that counts only outside the operator's networks and names. */
  readonly publicRule: string | undefined;
}
export type CheckedUrl = Target | { readonly rule: string };

const LONGEST = 2048;
const NO_URL = `must be a URL of at most ${LONGEST} characters`;
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa|onion)$/;
/** WHATWG URL drops these silently: the checked URL would differ from the text. */
const DROPPED = /[\s\p{Cc}\p{Cs}]/u;

/**
 * Checks the text too, because WHATWG URL repairs it silently. @param operatorAllows leaves port and local
 * names to the address rule
 */
export function checkUrl(text: string, insecure: boolean, operatorAllows = false): CheckedUrl {
  if (text.length > LONGEST || DROPPED.test(text)) return { rule: NO_URL };
  const url = parsed(text);
  if (!url) return { rule: NO_URL };
  const port = portRule(url, insecure);
  const name = nameRule(url.hostname, insecure);
  const rule =
    schemeRule(url, insecure) ??
    (operatorAllows && url.port !== '0' ? undefined : port) ??
    textRule(text, insecure) ??
    partsRule(url) ??
    (operatorAllows ? undefined : name);
  return rule === undefined ? { url, publicRule: port ?? name } : { rule };
}

export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Avoids URL.canParse: Node 20 sometimes reads Latin-1 text there as UTF-8 and rejects `bücher.example`. */
function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function schemeRule({ protocol }: URL, insecure: boolean): string | undefined {
  return (insecure ? /^https?:$/ : /^https:$/).test(protocol) ? undefined : startRule(insecure);
}

function portRule({ port }: URL, insecure: boolean): string | undefined {
  if (!insecure && port !== '') return 'must use port 443';
  return port === '0' ? 'must use a port from 1 to 65535' : undefined;
}

function startRule(insecure: boolean): string {
  return insecure ? 'must start with https:// or http://' : 'must start with https://';
}

/** Rejects missing, extra or turned slashes and an empty user, which URL parsing would hide. */
function textRule(text: string, insecure: boolean): string | undefined {
  const [beforeQuery = ''] = text.split(/[?#]/, 1);
  if (beforeQuery.includes('\\')) return 'must not have a backslash';
  const [, start, authority = ''] = /^(https?:\/\/)?([^/]*)/i.exec(beforeQuery) ?? [];
  if (start === undefined) return startRule(insecure);
  if (authority === '') return `must name its host after ${start.toLowerCase()}`;
  return authority.includes('@') ? 'must not name a user' : undefined;
}

function partsRule({ username, password, href, hostname }: URL): string | undefined {
  if (username !== '' || password !== '') return 'must not name a user';
  if (href.includes('#')) return 'must not have a fragment';
  if (href.length > LONGEST) return `must have at most ${LONGEST} characters`;
  return hostname.endsWith('.') ? 'must not end its name in a dot' : undefined;
}

function nameRule(hostname: string, insecure: boolean): string | undefined {
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return undefined;
  if (!hostname.includes('.')) return insecure ? undefined : 'must name a host of at least two labels';
  return LOCAL_NAMES.test(hostname) ? 'must not name a local host' : undefined;
}
