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

  it('compiles under strict rules and runs', () => {
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    const rules = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false'];
    const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
    run(process.execPath, resolve('node_modules/typescript/bin/tsc'), ...rules, ...types, 'program.ts');

    expect(run(process.execPath, 'program.js')).toBe('function function function\n');
  });

  it('has at most 12 KB of compressed code, and 1,000 lines written by hand', () => {
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
    const lines = readdirSync('sdk/src')
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`sdk/src/${name}`, 'utf8').split('\n').length - 1);

    expect(gzipSync(minified.join('\n')).length).toBeLessThanOrEqual(12 * 1024);
    expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1_000);
  });
});
