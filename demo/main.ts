import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RemotePrinting, type Printer } from '../sdk/src/index.js';
import { api, eventually } from './api.js';
import { receipt } from './document.js';
import { print, printedFile, readyPrinter, watch } from './printing.js';
import { Program } from './program.js';
import { bad, bold, dim, good, say, step } from './screen.js';
import { refuseOrExplain } from './usage.js';
import type { WindowsComputer } from './windows.js';

refuseOrExplain(process.argv.slice(2));
const staysOpen = !process.argv.includes('--exit');
const onWindows = process.argv.includes('--windows');
const isBusy = process.argv.includes('--busy');
const folder = mkdtempSync(path.join(tmpdir(), 'rps-demo-'));
const printed = path.join(folder, 'printed');
const programs: Program[] = [];
/** What else has to end with the demonstration. */
const ending: (() => void)[] = [];

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
async function startService(more: Record<string, string> = {}): Promise<string> {
  let ready: string | undefined;
  start('service', 'src/main.js', [], {
    env: {
      HOST: '127.0.0.1',
      PORT: process.env.PORT ?? '0',
      DATA_DIR: path.join(folder, 'data'),
      RATE_LIMIT_FACTOR: '20',
      ...{ EVENTSTORE_URL: '', MONGODB_URL: '', SVC_MASTER_KEY: '', PUBLIC_URL: '', ROLE: '' },
      ...more,
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

type Operator = ReturnType<typeof api>;

const operatorOf = (url: string): Operator =>
  api(`${url}/operator`, readFileSync(path.join(folder, 'data/operator-token'), 'utf8').trim());

async function openAccount(url: string) {
  const operator = operatorOf(url);
  const account = await operator<{ account_id: string; name: string }>('POST', '/accounts', {
    name: 'Demo Bakery',
  });
  step('account', account.name, account.account_id);
  const { api_key } = await operator<{ api_key: string }>('POST', `/accounts/${account.account_id}/keys`, {
    name: 'till',
    scopes: ['account:read', 'computers:read', 'printers:read', 'jobs:read', 'jobs:create', 'jobs:cancel'],
  });
  step('key', 'for computers, printers and jobs', `ends in ${api_key.slice(-4)}`);
  return { apiKey: api_key, ...(await accessTo(operator, account.account_id)) };
}

/** A token for an Agent of the account, and links into the panel. */
async function accessTo(operator: Operator, accountId: string) {
  const enrollments = `/accounts/${accountId}/enrollments`;
  const { enrollment_token } = await operator<{ enrollment_token: string }>('POST', enrollments, {});
  const members = `/accounts/${accountId}/members`;
  const { link } = await operator<{ link: { url: string } }>('POST', members, {
    ...{ name: 'owner', role: 'owner', ttl: OWNERS_LINK_SECONDS },
  });
  const { url: operatorsLink } = await operator<{ url: string }>('POST', '/panel-links', { name: 'olga' });
  return { token: enrollment_token, panel: { link: link.url, operatorsLink, accountId } };
}

const OWNERS_LINK_SECONDS = 1_800;

/** Values needed for the closing hints. */
interface Shown {
  readonly url: string;
  readonly apiKey: string;
  readonly jobId: string;
  readonly panel: { readonly link: string; readonly operatorsLink: string; readonly accountId: string };
}

/** The reference Agent with a virtual printer. */
function startAgent(url: string, token: string): void {
  const state = path.join(folder, 'agent-state');
  start('agent', 'agent/main.js', ['--url', url, '--token', token, '--state', state, '--virtual', printed]);
}

/** Prints one document and shows its way. Resolves to the id of the job. */
async function printReceipt(client: RemotePrinting, printer: Printer): Promise<string> {
  step('printer', `${printer.name} on ${printer.computer_name}`, printer.printer_code);
  const bytes = await receipt(printer.name);
  const { job_id: jobId } = await print(client, printer, {
    ...{ file: 'receipt.pdf', type: 'pdf', bytes, title: 'Receipt 1042' },
  });
  await watch(client, jobId);
  const file = printedFile(printed, jobId, bytes);
  good(`${bold('Printed')}, byte for byte what was sent: ${file}`);
  return jobId;
}

/** Prints one document through the API with a virtual printer. */
async function demonstrate(): Promise<Shown> {
  mkdirSync(printed);
  const url = await startService();
  const { apiKey, token, panel } = await openAccount(url);
  startAgent(url, token);
  const client = new RemotePrinting({ apiKey, baseUrl: url });
  const printer = await readyPrinter(client, 'a virtual printer', ({ is_virtual }) => is_virtual);
  const jobId = await printReceipt(client, printer);
  return { url, apiKey, jobId, panel };
}

/** @throws Error if a read model differs from a replay of the events */
async function verifyViews(operator: Operator): Promise<void> {
  const { items } = await operator<{ items: { name: string; equal: boolean }[] }>('POST', '/views/verify');
  const wrong = items.filter(({ equal }) => !equal).map(({ name }) => name);
  if (wrong.length > 0) throw new Error(`these read models differ from a replay: ${wrong.join(', ')}`);
  step('views', `${items.length} read models agree with a replay of all events`);
}

/** Shows a used installation: a day of jobs, and one more every few seconds. */
async function demonstrateBusy(): Promise<Shown> {
  const { Receiver, writeYesterday, keepCalling, keepPrinting } = await import('./busy/busy.js');
  mkdirSync(printed);
  const receiver = await Receiver.start();
  ending.push(() => receiver.close());
  step('yesterday', 'two accounts, 300 jobs, three webhooks', 'decided anew, by the service itself');
  const yesterday = await writeYesterday(path.join(folder, 'data'), receiver);
  const { accountId, apiKey } = yesterday;
  const url = await startService({ WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' });
  const operator = operatorOf(url);
  const { token, panel } = await accessTo(operator, accountId);
  await verifyViews(operator);
  ending.push(keepCalling(yesterday, url, fail));
  startAgent(url, token);
  const client = new RemotePrinting({ apiKey, baseUrl: url });
  const printer = await readyPrinter(client, 'a virtual printer', ({ is_virtual }) => is_virtual);
  const jobId = await printReceipt(client, printer);
  ending.push(keepPrinting(client, printer, fail));
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
  say(`    ${rps} member invite --account ${panel.accountId} --name kim --role owner   # another link`);
  say(`    ${rps} panel link`);
  say(`    ${rps} events stream job-${jobId}`);
  say(`    curl -H 'Authorization: Bearer ${apiKey}' ${url}/svc-api-print-jobs`);
  say(`\n  ${dim(`Documentation: ${url}/docs   Logs: ${folder}   End: Ctrl-C`)}`);
}

function chosen(computer: WindowsComputer | undefined): { what: string; show: () => Promise<Shown> } {
  if (computer)
    return {
      what: 'three documents on their way from the API to printers of Windows',
      show: () => demonstrateWindows(computer),
    };
  if (isBusy) return { what: 'a day in a bakery, and one document more', show: demonstrateBusy };
  return { what: 'one document on its way from the API to a printer', show: demonstrate };
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
  const { what, show } = chosen(computer);
  say(`\n  ${bold('Remote printing service')}: ${what}\n`);
  try {
    const done = await Promise.race([show(), death, asked]);
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
    for (const end of ending) end();
    await computer?.remove();
    for (const program of programs.reverse()) await program.stop();
  }
}

process.exit(await main());
