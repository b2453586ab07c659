import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RemotePrinting } from '../sdk/src/index.js';
import { api, eventually } from './api.js';
import { receipt } from './document.js';
import { print, printedFile, readyPrinter, watch } from './printing.js';
import { Program } from './program.js';
import { bad, bold, dim, good, say, step } from './screen.js';
import type { WindowsComputer } from './windows.js';

const staysOpen = !process.argv.includes('--exit');
const onWindows = process.argv.includes('--windows');
const folder = mkdtempSync(path.join(tmpdir(), 'rps-demo-'));
const printed = path.join(folder, 'printed');
const programs: Program[] = [];

let fail: (why: Error) => void = () => undefined;
/** Rejects when one of the programs dies. */
const death = new Promise<never>((_, reject) => (fail = reject));
/** Resolves on Ctrl-C and on SIGTERM. */
const asked = new Promise<'asked'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('asked'));
});

interface Start {
  readonly env?: Record<string, string>;
  readonly onLine?: (line: string) => void;
}

function start(name: string, entry: string, args: readonly string[], options: Start = {}): void {
  programs.push(new Program(name, entry, args, folder, { ...options, onDeath: fail }));
}

/** Starts on embedded stores regardless of the environment, with rate limits for a client that polls 20 times a second. */
async function startService(): Promise<string> {
  let ready: string | undefined;
  start('service', 'src/main.js', [], {
    env: {
      HOST: '127.0.0.1',
      PORT: process.env.PORT ?? '0',
      DATA_DIR: path.join(folder, 'data'),
      RATE_LIMIT_FACTOR: '20',
      ...{ EVENTSTORE_URL: '', MONGODB_URL: '', SVC_MASTER_KEY: '', PUBLIC_URL: '', ROLE: '' },
    },
    onLine: (line) => {
      if (line.includes('"msg":"ready"')) ready ??= line;
    },
  });
  const line = await eventually('the ready line of the service', 20_000, async () => ready);
  const { url, stores } = JSON.parse(line) as { url: string; stores: string };
  step('service', url, `${stores} stores in ${folder}`);
  return url;
}

async function openAccount(url: string) {
  const operator = api(
    `${url}/operator`,
    readFileSync(path.join(folder, 'data/operator-token'), 'utf8').trim(),
  );
  const account = await operator<{ account_id: string; name: string }>('POST', '/accounts', {
    name: 'Demo Bakery',
  });
  step('account', account.name, account.account_id);
  const { api_key } = await operator<{ api_key: string }>('POST', `/accounts/${account.account_id}/keys`, {
    name: 'till',
    scopes: ['account:read', 'computers:read', 'printers:read', 'jobs:read', 'jobs:create', 'jobs:cancel'],
  });
  step('key', 'for computers, printers and jobs', `ends in ${api_key.slice(-4)}`);
  const { enrollment_token } = await operator<{ enrollment_token: string }>(
    'POST',
    `/accounts/${account.account_id}/enrollments`,
    {},
  );
  const members = `/accounts/${account.account_id}/members`;
  const { link } = await operator<{ link: { url: string } }>('POST', members, {
    ...{ name: 'owner', role: 'owner', ttl: OWNERS_LINK_SECONDS },
  });
  const { url: operatorsLink } = await operator<{ url: string }>('POST', '/panel-links', { name: 'olga' });
  return {
    apiKey: api_key,
    token: enrollment_token,
    panel: { link: link.url, operatorsLink, accountId: account.account_id },
  };
}

const OWNERS_LINK_SECONDS = 1_800;

/** Values needed for the closing hints. */
interface Shown {
  readonly url: string;
  readonly apiKey: string;
  readonly jobId: string;
  readonly panel: { readonly link: string; readonly operatorsLink: string; readonly accountId: string };
}

/** Prints one document through the API with a virtual printer. */
async function demonstrate(): Promise<Shown> {
  mkdirSync(printed);
  const url = await startService();
  const { apiKey, token, panel } = await openAccount(url);
  const state = path.join(folder, 'agent-state');
  start('agent', 'agent/main.js', ['--url', url, '--token', token, '--state', state, '--virtual', printed]);
  const client = new RemotePrinting({ apiKey, baseUrl: url });
  const printer = await readyPrinter(client, 'a virtual printer', ({ is_virtual }) => is_virtual);
  step('printer', `${printer.name} on ${printer.computer_name}`, printer.printer_code);
  const bytes = await receipt(printer.name);
  const { job_id: jobId } = await print(client, printer, {
    ...{ file: 'receipt.pdf', type: 'pdf', bytes, title: 'Receipt 1042' },
  });
  await watch(client, jobId);
  const file = printedFile(printed, jobId, bytes);
  good(`${bold('Printed')}, byte for byte what was sent: ${file}`);
  return { url, apiKey, jobId, panel };
}

/** Prints three documents with the Agent for Windows. */
async function demonstrateWindows(computer: WindowsComputer): Promise<Shown> {
  const url = await startService();
  const { apiKey, token, panel } = await openAccount(url);
  await computer.start(url, token, fail);
  const jobId = await computer.printAll(new RemotePrinting({ apiKey, baseUrl: url }));
  return { url, apiKey, jobId, panel };
}

function invite({ url, apiKey, jobId, panel }: Shown): void {
  const rps = `npx rps --url ${url} --data-dir ${path.join(folder, 'data')}`;
  say(`\n  Everything keeps running. Links into the panel, each for one sign-in:\n`);
  say(`    as an owner, for 30 minutes     ${panel.link}`);
  say(`    as an operator, for 10 minutes  ${panel.operatorsLink}`);
  say(`\n  From another terminal, in this folder:\n`);
  say(`    ${rps} member invite --account ${panel.accountId} --name bea --role owner   # another link`);
  say(`    ${rps} panel link`);
  say(`    ${rps} events stream job-${jobId}`);
  say(`    curl -H 'Authorization: Bearer ${apiKey}' ${url}/svc-api-print-jobs`);
  say(`\n  ${dim(`Documentation: ${url}/docs   Logs: ${folder}   End: Ctrl-C`)}`);
}

async function main(): Promise<number> {
  let computer: WindowsComputer | undefined;
  if (onWindows) {
    const { missing, WindowsComputer: Computer } = await import('./windows.js');
    const reason = missing();
    if (reason) {
      say(`demo --windows is skipped: ${reason}`);
      return 0;
    }
    computer = new Computer();
  }
  const what = computer ? 'three documents on their' : 'one document on its';
  const target = computer ? 'printers of Windows' : 'a printer';
  say(`\n  ${bold('Remote printing service')}: ${what} way from the API to ${target}\n`);
  try {
    const demonstration = computer ? demonstrateWindows(computer) : demonstrate();
    const done = await Promise.race([demonstration, death, asked]);
    if (done !== 'asked' && staysOpen) {
      invite(done);
      await Promise.race([asked, death]);
    }
    return done === 'asked' && !staysOpen ? 1 : 0;
  } catch (error) {
    bad((error as Error).message);
    for (const program of programs) say(`\n  ${program.log}\n${dim(program.lastWords())}`);
    if (computer) say(`\n  the Agent\n${dim(await computer.lastWords())}`);
    return 1;
  } finally {
    await computer?.remove();
    for (const program of programs.reverse()) await program.stop();
  }
}

process.exit(await main());
