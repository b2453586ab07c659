import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { documentText } from '../../docs/markdown.js';
import { CertificateAuthority } from '../../kit/certificates.js';
import { invite, tokenOf } from '../../kit/panel.js';
import { soon, until } from '../../kit/polling.js';
import { ServiceProcess } from '../../kit/service-process.js';
import { createJob, openAccount, TestAgent } from '../../kit/world.js';
import { freePort } from '../../kit/free-port.js';

const DOCUMENT_BYTES = 9_000_000;
const NAME = 'printing.example.com';
/** The proxy listens on 127.0.0.1. */
const CLIENT = '127.0.0.5';
const JSON_TYPE = { 'content-type': 'application/json' };

interface Proxy {
  readonly program: string;
  /** Configuration from `deploy/`, with the ports and files of the test. */
  config(given: { port: number; upstream: string; folder: string }): string;
  args(config: string, folder: string): readonly string[];
}

const PROXIES: readonly [string, Proxy][] = [
  [
    'nginx',
    {
      program: '/usr/sbin/nginx',
      config: ({ port, upstream, folder }) => {
        const site = documentText('deploy/proxy/nginx.conf')
          .replace('listen 443 ', `listen 127.0.0.1:${port} `)
          .replace('127.0.0.1:3000', upstream)
          .replaceAll('/etc/nginx/', `${folder}/`);
        const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
          .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
          .join('\n');
        return `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off;\n${temporary}\n${site}}\n`;
      },
      args: (config, folder) => ['-p', folder, '-c', config, '-e', 'stderr'],
    },
  ],
  [
    'Caddy',
    {
      program: '/usr/bin/caddy',
      config: ({ port, upstream, folder }) =>
        `{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n` +
        documentText('deploy/proxy/Caddyfile')
          .replace(
            `\n${NAME} {`,
            `\nhttps://${NAME}:${port} {\n\ttls ${folder}/certificate.pem ${folder}/key.pem`,
          )
          .replace('127.0.0.1:3000', upstream),
      args: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
    },
  ],
];

describe.each(PROXIES)('the service behind %s', (name, proxy) => {
  const isInstalled = existsSync(proxy.program);
  if (!isInstalled) console.warn(`${proxy.program} is not installed: ${name} is not tested`);
  const itWithProxy = isInstalled ? it : it.skip;

  let service: ServiceProcess;
  let authority: CertificateAuthority;
  let running: ChildProcess;
  let folder: string;
  let port: number;
  let accountId: string;
  let key: string;
  let printerId: string;
  beforeAll(async () => {
    if (!isInstalled) return;
    service = await ServiceProcess.prepare();
    await service.start({ PUBLIC_URL: `https://${NAME}`, TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'info' });
    authority = new CertificateAuthority();
    folder = await mkdtemp(join(tmpdir(), 'rps-proxy-'));
    const certificate = authority.issue(NAME);
    await writeFile(join(folder, 'certificate.pem'), certificate.cert);
    await writeFile(join(folder, 'key.pem'), certificate.key);
    port = await freePort();
    const config = join(folder, 'config');
    await writeFile(config, proxy.config({ port, upstream: new URL(service.url).host, folder }));
    running = spawn(proxy.program, proxy.args(config, folder), { env: { ...process.env, HOME: folder } });
    await until(`${name} to listen`, 20_000, () => isListening(port));
    ({ accountId, key } = await openAccount(service));
    ({ printerId } = await TestAgent.ready(service, accountId));
  });
  afterAll(async () => {
    if (!isInstalled) return;
    // Caddy would wait a minute for the connections of the tests.
    running.kill('SIGKILL');
    await once(running, 'exit');
    await service.remove();
    authority.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (method: string, path: string, { headers = {}, body }: Asked = {}) => {
    const sent = request({
      ...{ host: '127.0.0.1', port, localAddress: CLIENT, servername: NAME, ca: authority.ca },
      ...{ method, path: `/v1${path}`, headers: { host: NAME, ...headers } },
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  };

  itWithProxy('takes a large document', async () => {
    const data = Buffer.alloc(DOCUMENT_BYTES, '%').toString('base64');
    const content = { type: 'raw', encoding: 'base64', data };
    const headers = { ...JSON_TYPE, authorization: `Bearer ${key}`, 'idempotency-key': `large-${name}` };
    const body = JSON.stringify({ printer_id: printerId, content });
    expect((await ask('POST', '/svc-api-print-jobs', { headers, body })).statusCode).toBe(201);
  });

  itWithProxy('sends each change at once', async () => {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` };
    const stream = await ask('GET', '/svc-api-changes?after=now', { headers });
    let received = '';
    stream.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await createJob(service, key, printerId);
    await soon(() => received.includes('job.created'));
    stream.destroy();
  });

  itWithProxy(
    'passes its own name and the address of the client, not one that the client claims',
    async () => {
      const { url } = await invite(service, accountId, 'anna', 'viewer');
      const browser = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '203.0.113.9' };
      const body = JSON.stringify({ token: tokenOf(url) });
      const signedIn = await ask('POST', '/panel/session/link', {
        headers: { ...browser, ...JSON_TYPE },
        body,
      });
      expect(signedIn.statusCode).toBe(200);
      const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
      expect(cookie).toContain('Secure');
      const listed = await ask('GET', '/panel/sessions', {
        headers: { ...browser, cookie: cookie.split(';')[0]! },
      });
      const { data } = (await json(listed)) as { data: { items: { address: string }[] } };
      expect(data.items.map(({ address }) => address)).toEqual([CLIENT]);
    },
  );
});

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function isListening(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(undefined));
    socket.once('connect', () => socket.destroy());
  });
}
