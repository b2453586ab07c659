import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { McpTools } from '../../kit/mcp-tools.js';
import { ServiceProcess } from '../../kit/service-process.js';
import { openAccount } from '../../kit/world.js';

const TRACER = pathToFileURL('test/kit/loaded-modules.mjs').href;
/** Of the other home, of a first webhook, test page or large body, and for schemas that no route has. */
const LATER = [
  ...['mongodb', '@eventstore/db-client', '@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs'],
  ...[
    'undici',
    'pdf-lib',
    'pino-pretty',
    'ajv',
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
    '@opentelemetry/sdk-trace-base',
    '@opentelemetry/exporter-trace-otlp-http',
  ],
];

/** Today 46; without the bundle 1,700, each about 0.5 ms. */
const MAX_FILES = 80;

const packagesOf = (loaded: readonly string[]) =>
  new Set(loaded.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? ''));

const bundle = readFileSync('dist/service/program.js', 'utf8');

describe('starting on embedded stores', () => {
  let service: ServiceProcess;
  let loaded: readonly string[];

  beforeAll(async () => {
    service = await ServiceProcess.prepare();
    const file = service.beside('loaded-modules');
    await service.start({ NODE_OPTIONS: `--import ${TRACER}`, LOADED_MODULES: file });
    await service.end('SIGTERM');
    loaded = readFileSync(file, 'utf8').split('\n');
  });

  afterAll(() => service.remove());

  it('loads the bundle instead of each module', () => {
    const files = loaded.filter((url) => url.startsWith('file:') || url.startsWith('/'));
    expect(files.some((url) => url.endsWith('/dist/service/program.js'))).toBe(true);
    expect(files.length).toBeLessThan(MAX_FILES);
  });

  it('loads the driver of SQLite', () => {
    expect(packagesOf(loaded)).toContain('better-sqlite3');
  });

  it.each(LATER)('does not load %s', (name) => {
    expect(packagesOf(loaded)).not.toContain(name);
    // The bundle names each module that it holds in a comment.
    expect(bundle).toContain('\n// node_modules/fastify/');
    expect(bundle).not.toContain(`\n// node_modules/${name}/`);
  });
});

describe('starting the Agent', () => {
  it('loads what draws documents with the first of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rps-agent-'));
    const file = join(folder, 'loaded-modules');
    spawnSync(process.execPath, ['--import', TRACER, 'dist/agent/main.js', '--help'], {
      env: { ...process.env, LOADED_MODULES: file },
    });
    const packages = packagesOf(readFileSync(file, 'utf8').split('\n'));
    await rm(folder, { recursive: true });

    expect(packages).toContain('pino');
    for (const name of ['pdf-lib', '@pdf-lib/fontkit', '@hyzyla/pdfium'])
      expect(packages).not.toContain(name);
  });
});

describe('the bundle', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await ServiceProcess.prepare();
    await service.start();
  });
  afterAll(() => service.remove());

  it('contains each package once, so that decorators share their metadata', async () => {
    const { account_id } = await service.operate('POST', '/accounts', { name: 'Acme' });
    expect((await service.operate('GET', '/events?limit=1')).items).toHaveLength(1);
    const as = await service.operatorToken();
    const refused = await service.call('GET', '/operator/events?limit=all', { as });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('limit must be')]);
    const plan = { json: { jobs_per_month: 0.5 }, as };
    expect((await service.call('POST', `/operator/accounts/${String(account_id)}/plan`, plan)).status).toBe(
      400,
    );
  });

  it('holds the tools of /v1/mcp in a part of their own', async () => {
    const { key } = await openAccount(service);
    const tools = await McpTools.overHttp(service.url, key);
    expect(await tools.answer('list_printers')).toEqual({ printers: [] });
    await tools.close();
    expect(bundle).not.toContain('\n// node_modules/@modelcontextprotocol/');
  });

  it('keeps calls that are made only for their errors', async () => {
    const as = await service.operatorToken();
    const refused = await service.call('GET', '/operator/accounts?external_id=%ff', { as });
    const rule = 'The query parameter external_id must be percent-encoded UTF-8.';
    expect([refused.status, refused.body.message]).toEqual([400, rule]);
  });
});
