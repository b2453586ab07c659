import type { FastifyRequest } from 'fastify';

/** The service as browsers see it. */
export interface Site {
  /** Of PUBLIC_URL; undefined: reached on loopback names only. */
  readonly origin: string | undefined;
  /** Host and port as a browser sends them. */
  readonly host: string | undefined;
  readonly isSecure: boolean;
}

export function siteOf(publicUrl: string | undefined): Site {
  if (publicUrl === undefined) return { origin: undefined, host: undefined, isSecure: false };
  const { origin, host, protocol } = new URL(publicUrl);
  return { origin, host, isSecure: protocol === 'https:' };
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/;

/** `localhost:3000`, in lower case; undefined unless it is a loopback name or the host of PUBLIC_URL. */
function ownHost({ headers }: FastifyRequest, site: Site): string | undefined {
  const host = headers.host?.toLowerCase();
  return host !== undefined && (host === site.host || LOOPBACK.test(host)) ? host : undefined;
}

/** Whether the request names this service: a loopback name, or the host of PUBLIC_URL. */
export const isOwnHost = (request: FastifyRequest, site: Site) => ownHost(request, site) !== undefined;

/**
 * Whether the request comes from a page of this service. Its host is checked against DNS rebinding; another port of the
 * same name is `same-site` and another page. Browsers without Fetch Metadata send `Origin` with everything but GET and
 * HEAD (docs/decisions/062-sessions.md).
 */
export function isFromOwnPage(request: FastifyRequest, site: Site): boolean {
  const host = ownHost(request, site);
  if (host === undefined) return false;
  const { 'sec-fetch-site': fetchSite, origin } = request.headers;
  const changesNothing = request.method === 'GET' || request.method === 'HEAD';
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || (changesNothing && fetchSite === 'none');
  return changesNothing || origin === (host === site.host ? site.origin : `http://${host}`);
}

/** The secret of the session cookie, if the request comes from a page of this service. */
export const sessionSecretOf = (request: FastifyRequest, site: Site) => cookieOf(request, site, NAME);

/** The value of a cookie set with `cookie`, if the request comes from a page of this service. */
export function cookieOf(request: FastifyRequest, site: Site, purpose: string): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined || !isFromOwnPage(request, site)) return undefined;
  const start = `${cookieNameFor(request, site, purpose)}=`;
  const found = cookie.split(';').filter((pair) => pair.trim().startsWith(start));
  // Two cookies of one name: one of them was set by somebody else.
  return found.length === 1 ? found[0]!.trim().slice(start.length) : undefined;
}

/** Value of `Set-Cookie`; without a secret it removes the cookie. */
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
  /** Seconds; absent: until the browser is closed. */
  readonly maxAge?: number;
}

/** Value of `Set-Cookie` for pages of this service only; no script can read it. */
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
