import type { FastifyRequest } from 'fastify';
import { isFromOwnPage, sessionCookie, sessionSecretOf, siteOf } from './session-cookie.js';

type Headers = Readonly<Record<string, string | undefined>>;

const requestWith = (headers: Headers, method = 'GET') => ({ headers, method }) as unknown as FastifyRequest;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'];
const FETCH_SITES = [undefined, 'same-origin', 'none', 'same-site', 'cross-site', 'anything'];

/** Every combination as one text, `METHOD host fetch-site origin`. */
function cells(hosts: readonly (string | undefined)[], origins: readonly (string | undefined)[]) {
  return METHODS.flatMap((method) =>
    hosts.flatMap((host) =>
      FETCH_SITES.flatMap((site) => origins.map((origin) => ({ method, host, site, origin }))),
    ),
  );
}

type Cell = ReturnType<typeof cells>[number];
const textOf = ({ method, host, site, origin }: Cell) => [method, host, site, origin].join(' ');

/** The accepted cells of a site. */
function accepted(publicUrl: string | undefined, all: readonly Cell[]): string[] {
  const site = siteOf(publicUrl);
  return all
    .filter(({ method, host, site: fetchSite, origin }) =>
      isFromOwnPage(requestWith({ host, 'sec-fetch-site': fetchSite, origin }, method), site),
    )
    .map(textOf);
}

describe('distinguishing own pages from foreign ones', () => {
  const loopback = ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'localhost', 'LOCALHOST:3000'];
  const foreign = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:3000', '', undefined];
  const origins = [
    undefined,
    'null',
    'http://evil.example',
    'http://localhost:4000',
    'http://localhost:3000',
  ];

  it('accepts no request with a foreign host', () => {
    expect(accepted(undefined, cells(foreign, origins))).toEqual([]);
    expect(accepted('https://print.example.com', cells(foreign, origins))).toEqual([]);
  });

  it.each(loopback)('uses Fetch Metadata on the loopback name %s', (host) => {
    const all = cells([host], origins).filter(({ site }) => site !== undefined);
    const fine = all.filter(
      ({ method, site }) => site === 'same-origin' || (site === 'none' && !CHANGING.includes(method)),
    );
    expect(fine).toHaveLength(METHODS.length * 5 + 2 * 5);
    expect(accepted(undefined, all)).toEqual(fine.map(textOf));
  });

  it('requires the own origin for all but GET and HEAD without Fetch Metadata', () => {
    const all = cells(['localhost:3000'], origins).filter(({ site }) => site === undefined);
    const reads = all.filter(({ method }) => method === 'GET' || method === 'HEAD');
    const writes = CHANGING.map((method) => `${method} localhost:3000  http://localhost:3000`);
    expect(accepted(undefined, all)).toEqual([...reads.map(textOf), ...writes]);
  });

  it('accepts the origin of PUBLIC_URL on its host only', () => {
    const hosts = ['print.example.com', 'localhost:3000'];
    const all = cells(hosts, [
      'https://print.example.com',
      'http://print.example.com',
      'http://localhost:3000',
    ]);
    const posts = all.filter(({ method, site }) => method === 'POST' && site === undefined);
    expect(accepted('https://print.example.com', posts)).toEqual([
      'POST print.example.com  https://print.example.com',
      'POST localhost:3000  http://localhost:3000',
    ]);
  });
});

describe('the session cookie', () => {
  const page = { host: '127.0.0.1:3000', 'sec-fetch-site': 'same-origin' };
  const plain = siteOf(undefined);
  const secure = siteOf('https://print.example.com/office');
  const behindTls = { host: 'print.example.com', 'sec-fetch-site': 'same-origin' };

  it('has the port in its name on loopback, and the prefix of a secure host behind TLS', () => {
    expect(sessionCookie(requestWith(page), plain, 's')).toBe(
      'svc_panel_3000=s; HttpOnly; SameSite=Strict; Path=/',
    );
    expect(sessionCookie(requestWith(page), secure, 's')).toMatch(/^svc_panel_3000=/);
    expect(sessionCookie(requestWith(behindTls), secure, 's')).toBe(
      '__Host-svc_panel=s; HttpOnly; SameSite=Strict; Path=/; Secure',
    );
    expect(sessionCookie(requestWith({ host: 'print.local' }), siteOf('http://print.local'), 's')).toMatch(
      /^svc_panel_80=s; HttpOnly; SameSite=Strict; Path=\/$/,
    );
  });

  it('is read under the name of the host of the request', () => {
    const cookie = 'a=b; svc_panel_3000=plain; svc_panel_4000=other; __Host-svc_panel=tls';
    expect(sessionSecretOf(requestWith({ ...page, cookie }), plain)).toBe('plain');
    expect(sessionSecretOf(requestWith({ ...behindTls, cookie }), secure)).toBe('tls');
    expect(sessionSecretOf(requestWith({ ...page, cookie: 'svc_panel_4000=other' }), plain)).toBeUndefined();
    expect(sessionSecretOf(requestWith(page), plain)).toBeUndefined();
  });

  it('is ignored if sent twice', () => {
    const cookie = 'svc_panel_3000=mine; svc_panel_3000=tossed';
    expect(sessionSecretOf(requestWith({ ...page, cookie }), plain)).toBeUndefined();
  });

  it('is ignored for another site', () => {
    const cookie = 'svc_panel_3000=mine';
    const from = { ...page, 'sec-fetch-site': 'same-site' };
    expect(sessionSecretOf(requestWith({ ...from, cookie }), plain)).toBeUndefined();
  });
});
