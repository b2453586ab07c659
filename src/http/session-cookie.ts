import type { FastifyRequest } from 'fastify';

/** Provider token of the address of the service as others see it. */
export const PUBLIC_ADDRESS = Symbol('public address');

export interface PublicAddress {
  /** PUBLIC_URL; undefined if it is not set. */
  readonly publicUrl: string | undefined;
}

export interface Site {
  /** Undefined: reached on loopback names only. */
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly isSecure: boolean;
}

export function siteOf(publicUrl: string | undefined): Site {
  if (publicUrl === undefined) return { origin: undefined, host: undefined, isSecure: false };
  const { origin, host, protocol } = new URL(publicUrl);
  return { origin, host, isSecure: protocol === 'https:' };
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/;

/** `localhost:3000`; undefined unless a loopback name or the host of PUBLIC_URL. */
function ownHost({ headers }: FastifyRequest, site: Site): string | undefined {
  const host = headers.host?.toLowerCase();
  return host !== undefined && (host === site.host || LOOPBACK.test(host)) ? host : undefined;
}

export const isOwnHost = (request: FastifyRequest, site: Site) => ownHost(request, site) !== undefined;

/** Against DNS rebinding. Another port is `same-site` but another page (docs/decisions/062-sessions.md). */
export function isFromOwnPage(request: FastifyRequest, site: Site): boolean {
  const host = ownHost(request, site);
  if (host === undefined) return false;
  const { 'sec-fetch-site': fetchSite, origin } = request.headers;
  const changesNothing = request.method === 'GET' || request.method === 'HEAD';
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || (changesNothing && fetchSite === 'none');
  return changesNothing || origin === (host === site.host ? site.origin : `http://${host}`);
}

export const sessionSecretOf = (request: FastifyRequest, site: Site) => cookieOf(request, site, NAME);

/** Undefined unless the request comes from a page of this service. */
export function cookieOf(request: FastifyRequest, site: Site, purpose: string): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined || !isFromOwnPage(request, site)) return undefined;
  const start = `${cookieNameFor(request, site, purpose)}=`;
  const found = cookie.split(';').filter((pair) => pair.trim().startsWith(start));
  // Of two cookies with one name, one is foreign.
  return found.length === 1 ? found[0]!.trim().slice(start.length) : undefined;
}

/** Without a secret it removes the cookie. */
export function sessionCookie(request: FastifyRequest, site: Site, secret: string | undefined): string {
  return cookie(request, site, {
    purpose: NAME,
    value: secret ?? '',
    ...(secret === undefined && { maxAge: 0 }),
  });
}

interface CookieOptions {
  readonly purpose: string;
  readonly value: string;
  readonly maxAge?: number;
}

/** Same-site and hidden from scripts. */
export function cookie(
  request: FastifyRequest,
  site: Site,
  { purpose, value, maxAge }: CookieOptions,
): string {
  const name = cookieNameFor(request, site, purpose);
  const secure = name.startsWith(HOST_ONLY) ? '; Secure' : '';
  const kept = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  return `${name}=${value}; HttpOnly; SameSite=Strict; Path=/${secure}${kept}`;
}

const HOST_ONLY = '__Host-';
const NAME = 'svc_panel';

/** Cookies ignore ports: two services on one machine must not overwrite each other's. */
function cookieNameFor(request: FastifyRequest, site: Site, purpose: string): string {
  const host = ownHost(request, site) ?? '';
  if (host === site.host && site.isSecure) return `${HOST_ONLY}${purpose}`;
  return `${purpose}_${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
}
