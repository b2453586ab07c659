import { transformSync } from '@swc/core';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const PROGRAM = `import { RemotePrinting, pdf, text, type PrintJob } from '@remote-printing/sdk';
import { RemotePrintingPartner } from '@remote-printing/sdk/partner';
import { verifyWebhook, type WebhookEvent } from '@remote-printing/sdk/webhooks';

const print = new RemotePrinting({ apiKey: 'svc_live_x', baseUrl: 'http://127.0.0.1:9' });
const partner = new RemotePrintingPartner({ credential: 'svc_partner_live_x', baseUrl: 'http://127.0.0.1:9' });
export async function example(printer_id: string, rawBody: Uint8Array, headers: Headers): Promise<string> {
  const { job, replayed } = await print.jobs.create({ printer_id, content: pdf(rawBody), title: 'Receipt 1042' });
  const end = await print.jobs.waitForCompletion(job.job_id, { maxWaitMs: 120_000, onChange: (seen) => seen.status });
  for await (const failed of print.jobs.list({ status: 'failed' })) log(failed);
  const event: WebhookEvent = await verifyWebhook(rawBody, headers, ['whsec_live_x']);
  if (event.event_type === 'printer.offline') return event.data.printer.name;
  if (event.event_type === 'job.failed') return event.data.job.failure_code ?? '';
  await partner.jobs.create('a', { printer_id, content: text('x') });
  return end.outcome + String(replayed);
}
const log = (job: PrintJob) => console.log(job.status);
console.log(typeof print.jobs.create, typeof partner.accounts.provision, typeof verifyWebhook);
`;

describe('the package of the SDK', () => {
  let folder: string;
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rps-sdk-'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const packed = run('npm', 'pack', resolve('sdk'), '--json', '--silent');
    const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string }];
    run('npm', 'install', '--offline', '--no-audit', '--no-fund', join(folder, filename));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has no dependency', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@remote-printing',
    ]);
  });

  it('compiles under strict rules and runs, as ES module and as CommonJS', () => {
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    writeFileSync(join(folder, 'commonjs.cts'), PROGRAM);
    const rules = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false'];
    const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
    const compiler = resolve('node_modules/typescript/bin/tsc');
    run(process.execPath, compiler, ...rules, ...types, 'program.ts', 'commonjs.cts');

    expect(readFileSync(join(folder, 'commonjs.cjs'), 'utf8')).toContain('require("@remote-printing/sdk")');
    for (const file of ['program.js', 'commonjs.cjs'])
      expect(run(process.execPath, file)).toBe('function function function\n');
  });

  it('exports its clients, errors and makers of content only', () => {
    const list =
      'import("@remote-printing/sdk").then((all) => console.log(Object.keys(all).sort().join(" ")))';
    expect(run(process.execPath, '--eval', list).trim().split(' ')).toEqual([
      ...['ApiError', 'AuthenticationError', 'ConflictError', 'ConnectionError', 'InvalidRequestError'],
      ...['NotFoundError', 'PermissionError', 'PlanLimitError', 'RateLimitError', 'RemotePrinting'],
      ...[
        'RemotePrintingError',
        'ServiceError',
        'TimeoutError',
        'UnansweredJobsError',
        'WaitTimeoutError',
        'pdf',
        'raw',
        'text',
      ],
    ]);
  });

  it('holds its licence and a description, and names its repository', () => {
    const installed = join(folder, 'node_modules/@remote-printing/sdk');
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).toMatchObject({
      repository: { directory: 'sdk' },
      license: 'Apache-2.0',
    });
  });

  it('has at most 12 KB of compressed code', () => {
    const dist = join(folder, 'node_modules/@remote-printing/sdk/dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.js'),
    );
    const minified = files.map((name) => {
      const options = {
        minify: true,
        jsc: { target: 'es2022', minify: { compress: true, mangle: true } },
      } as const;
      return transformSync(readFileSync(join(dist, name), 'utf8'), { ...options, isModule: true }).code;
    });
    expect(gzipSync(minified.join('\n')).length).toBeLessThanOrEqual(12 * 1024);
  });
});
