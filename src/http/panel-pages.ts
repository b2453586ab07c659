import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOwnHost, type Site } from './session-cookie.js';

/** Beside the compiled program, or in the build if the sources run. */
const FOLDERS = ['../../dist/panel', '../../panel'];

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const NOTHING_ALLOWED = [
  ...['accelerometer', 'camera', 'display-capture', 'fullscreen', 'geolocation', 'gyroscope', 'hid'],
  ...['idle-detection', 'magnetometer', 'microphone', 'midi', 'payment', 'publickey-credentials-get'],
  ...['screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => `${feature}=()`)
  .join(', ');

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': NOTHING_ALLOWED,
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Content encodings, best first, with the suffix of the file. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

interface PanelFile {
  readonly type: string;
  readonly forms: ReadonlyMap<string, Buffer>;
}

/** Serves exact names only, never a path of the URL. */
export function servePanelPages(fastify: FastifyInstance, site: Site): void {
  const folder = FOLDERS.map((each) => fileURLToPath(new URL(each, import.meta.url))).find((each) =>
    existsSync(path.join(each, 'assets')),
  );
  fastify.get('/panel', (_, reply) => reply.headers(HEADERS).redirect('panel/', 308));
  if (folder === undefined) {
    fastify.get('/panel/', (_, reply) => plain(reply, 503, 'The panel is not built: run npm run build.'));
    return;
  }
  const page = fileAt(folder, 'index.html');
  fastify.get('/panel/', (request, reply) => {
    if (!isOwnHost(request, site)) return plain(reply, 403, SET_PUBLIC_URL);
    return send(request, reply.header('cache-control', 'no-store'), page);
  });
  for (const name of assetsIn(folder)) {
    const file = fileAt(folder, name);
    fastify.get(`/panel/${name}`, (request, reply) =>
      send(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file),
    );
  }
}

/** A page of another name may belong to an attacker (DNS rebinding). */
const SET_PUBLIC_URL = 'Set PUBLIC_URL to the address of this page, or open the panel on the machine itself.';

function assetsIn(folder: string): readonly string[] {
  return readdirSync(path.join(folder, 'assets'))
    .filter((name) => TYPES[path.extname(name)] !== undefined)
    .map((name) => `assets/${name}`);
}

function fileAt(folder: string, name: string): PanelFile {
  const file = path.join(folder, name);
  const compressed = ENCODINGS.filter(([, ending]) => existsSync(file + ending));
  return {
    type: TYPES[path.extname(name)]!,
    forms: new Map([
      ...compressed.map(([encoding, ending]) => [encoding, readFileSync(file + ending)] as const),
      ['identity', readFileSync(file)] as const,
    ]),
  };
}

function send(request: FastifyRequest, reply: FastifyReply, { type, forms }: PanelFile): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '')
    .split(',')
    .map((each) => each.trim().split(';')[0]);
  const [encoding, body] = [...forms].find(([name]) => name === 'identity' || accepted.includes(name))!;
  reply.headers(HEADERS).headers({ 'content-type': type, vary: 'accept-encoding' });
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(body);
}

function plain(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .headers(HEADERS)
    .header('content-type', 'text/plain; charset=utf-8')
    .send(`${text}\n`);
}
