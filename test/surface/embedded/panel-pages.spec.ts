import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { serviceForAll, startTestService, type TestService } from '../../kit/service.js';

const FOLDER = 'dist/panel';
const assets = () => readdirSync(`${FOLDER}/assets`).filter((name) => /\.(js|css)$/.test(name));

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Without fetch, which sets its own `Host` and decodes bodies. */
function get({ url }: TestService, path: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject).end();
  });
}

describe('the files of the panel', () => {
  const service = serviceForAll();

  it('are sent with a policy that runs only our own scripts', async () => {
    const { status, headers, body } = await get(service, '/panel/');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    expect(body.toString()).not.toMatch(/<script(?![^>]*\bsrc=)|style=|\son\w+=|https?:/);
  });

  it('are cached by browsers for ever, because their names change', async () => {
    for (const name of assets()) {
      const plain = readFileSync(`${FOLDER}/assets/${name}`);
      const path = `/panel/assets/${name}`;
      const { status, headers, body } = await get(service, path);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(body.equals(plain)).toBe(true);
      const gzip = await get(service, path, { 'accept-encoding': 'gzip, deflate' });
      expect([gzip.headers['content-encoding'], gunzipSync(gzip.body).equals(plain)]).toEqual(['gzip', true]);
      const brotli = await get(service, path, { 'accept-encoding': 'gzip, br' });
      expect(brotli.headers['content-encoding']).toBe('br');
      expect(brotliDecompressSync(brotli.body).equals(plain)).toBe(true);
    }
  });

  it('have exact names: no path of a URL reaches the disk', async () => {
    const { status, headers } = await get(service, '/panel');
    expect([status, headers.location]).toEqual([308, 'panel/']);
    for (const path of [
      '/panel/index.html',
      '/panel/assets/',
      '/panel/assets/..%2findex.html',
      '/panel/assets/%2e%2e/%2e%2e/src/main.js',
      `/panel/assets/${assets()[0]}.gz`,
      '/panel/../package.json',
    ])
      expect([path, (await get(service, path)).status]).toEqual([path, 404]);
  });

  it('explain under a foreign name which setting is missing, without a form', async () => {
    const { status, body } = await get(service, '/panel/', { host: 'printer.example:3000' });
    expect(status).toBe(403);
    expect(body.toString()).toContain('Set PUBLIC_URL to the address of this page');
    expect(body.toString()).not.toContain('<');
  });
});

describe('PANEL=off', () => {
  it('removes the pages and their operations', async () => {
    const service = await startTestService({ env: { PANEL: 'off' } });
    for (const path of ['/panel', '/panel/', '/v1/panel/session', `/panel/assets/${assets()[0]}`])
      expect([path, (await get(service, path)).status]).toEqual([path, 404]);
    await service.close();
  });
});
