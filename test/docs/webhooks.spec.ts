import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_CATALOGUE } from '../../src/api/resources/event-catalogue.js';
import {
  defaultDeliveryPolicy,
  FAILURE_CODES,
  mintWebhookSecret,
  signedHeaders,
} from '../../src/contexts/webhooks/index.js';
import { jwkOf, SigningKey } from '../../src/kernel/signing-key.js';
import { documentText, rowsBelow } from './markdown.js';

const markdown = documentText('docs/webhooks.md');
const NOW = 1_795_262_400;
const body = Buffer.from('{"name":"Grüße 🖨","broken":"\\ud83d"}\n ');
const secretOf = (byte: number) =>
  mintWebhookSecret('019aa000-0000-7000-8000-0000000000e1', Buffer.alloc(32, byte));
const [secret, previous] = [secretOf(1), secretOf(2)];
const signingKey = new SigningKey(Buffer.alloc(32, 7));

const signing = {
  eventId: '019aa000-0000-7000-8000-0000000000e5',
  eventType: 'job.created',
  deliveryId: '019aa000-0000-5000-8000-0000000000e4',
  timestamp: NOW,
  productVersion: '2.0.59',
  secretVersion: 1,
  signingKey,
};

const headersBy = (...secrets: [string, ...string[]]): Record<string, string> =>
  signedHeaders({ ...signing, secrets, body });

/** Requests to a receiver, and whether each should verify. */
const without = (header: string) =>
  Object.fromEntries(Object.entries(headersBy(secret)).filter(([name]) => name !== header));
const changed = Buffer.from(body.toString().replace('name', 'nama'));
const questions: [
  string,
  boolean,
  { secret: string; headers: Record<string, string>; body: Buffer; now: number },
][] = [
  ['the original request', true, { secret, headers: headersBy(secret), body, now: NOW }],
  ['a request of 5 minutes ago', true, { secret, headers: headersBy(secret), body, now: NOW + 300 }],
  ['an older request', false, { secret, headers: headersBy(secret), body, now: NOW + 301 }],
  ['a request from the future', false, { secret, headers: headersBy(secret), body, now: NOW - 301 }],
  ['another body', false, { secret, headers: headersBy(secret), body: changed, now: NOW }],
  ['another secret', false, { secret: previous, headers: headersBy(secret), body, now: NOW }],
  ['a rotation, with the new secret', true, { secret, headers: headersBy(secret, previous), body, now: NOW }],
  [
    'a rotation, with the old secret',
    true,
    { secret: previous, headers: headersBy(secret, previous), body, now: NOW },
  ],
  ['no signature', false, { secret, headers: without('x-svc-signature'), body, now: NOW }],
  ['no timestamp', false, { secret, headers: without('x-svc-timestamp'), body, now: NOW }],
  ['no event id', false, { secret, headers: without('x-svc-event-id'), body, now: NOW }],
  [
    'an odd signature',
    false,
    { secret, headers: { ...headersBy(secret), 'x-svc-signature': 'v1=ü' }, body, now: NOW },
  ],
];
const asked = JSON.stringify(questions.map(([, , it]) => ({ ...it, body: it.body.toString('base64') })));
const answers = questions.map(([, answer]) => answer);

function codeOf(file: string): string {
  const blocks = [...markdown.matchAll(new RegExp(`\`${file}\`:\n\n\`\`\`[a-z]+\\n(.*?)\`\`\``, 'gs'))];
  expect(blocks).toHaveLength(1);
  return blocks[0]![1]!;
}

/** Runs the documented code with a driver that reads the requests and prints the results. */
function run(command: string, file: string, code: string, driver: string, source: string): boolean[] {
  const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'));
  try {
    writeFileSync(join(folder, file), code);
    writeFileSync(join(folder, driver), source);
    const printed = execFileSync(command, [driver], { cwd: folder, input: asked, encoding: 'utf8' });
    return JSON.parse(printed) as boolean[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the webhook guide', () => {
  it('has working verification code for Node', () => {
    const driver = `import { readFileSync } from 'node:fs';
      import { verify } from './verify.mjs';
      const questions = JSON.parse(readFileSync(0, 'utf8'));
      console.log(JSON.stringify(questions.map((it) =>
        verify(it.secret, it.headers, Buffer.from(it.body, 'base64'), it.now))));`;
    expect(run(process.execPath, 'verify.mjs', codeOf('verify.mjs'), 'driver.mjs', driver)).toEqual(answers);
  });

  it('has working verification code for Python', () => {
    const driver = [
      'import base64, json, sys',
      'from verify import verify',
      'answers = [verify(it["secret"], it["headers"], base64.b64decode(it["body"]), it["now"]) for it in json.load(sys.stdin)]',
      'print(json.dumps(answers))',
    ].join('\n');
    expect(run('python3', 'verify.py', codeOf('verify.py'), 'driver.py', driver)).toEqual(answers);
  });

  it('has working verification code by public key for Node', () => {
    const keys = [8, 7].map((byte) => jwkOf(new SigningKey(Buffer.alloc(32, byte)).publicKey));
    const event = (account_id: string) => Buffer.from(JSON.stringify({ account_id }));
    const headersOf = (of: Buffer) => signedHeaders({ ...signing, secrets: [secret], body: of });
    const sent = event('mine');
    const asks = [
      { keys, headers: headersOf(sent), body: sent, now: NOW },
      { keys, headers: headersOf(sent), body: event('mini'), now: NOW },
      { keys, headers: headersOf(event('other')), body: event('other'), now: NOW },
      { keys: keys.slice(0, 1), headers: headersOf(sent), body: sent, now: NOW },
      { keys, headers: headersOf(sent), body: sent, now: NOW + 301 },
      { keys, headers: without('webhook-signature'), body: sent, now: NOW },
    ].map((it) => ({ ...it, body: it.body.toString('base64') }));
    const driver = `import { verifyByKey } from './verify-by-key.mjs';
      const asks = ${JSON.stringify(asks)};
      console.log(JSON.stringify(asks.map((it) =>
        verifyByKey(it.keys, 'mine', it.headers, Buffer.from(it.body, 'base64'), it.now))));`;
    const code = codeOf('verify-by-key.mjs');
    expect(run(process.execPath, 'verify-by-key.mjs', code, 'driver.mjs', driver)).toEqual([
      true,
      ...Array<boolean>(5).fill(false),
    ]);
  });

  it('names every sent header', () => {
    const sent = Object.keys(headersBy(secret, previous)).filter(
      (name) => !/^(content-type|user-agent)$/.test(name),
    );
    const named = rowsBelow(markdown, 'The request')
      .slice(0, 11)
      .flatMap(([names = '']) => names.split(', '));
    expect(named.map((name) => name.toLowerCase()).sort()).toEqual(sent.sort());
  });

  it('lists every event with its description from the catalogue', () => {
    const expected = EVENT_CATALOGUE.map(({ event_type, description }) => [event_type, description]);
    expect(rowsBelow(markdown, 'Events')).toEqual(expected);
  });

  it('lists the delays and the failure codes', () => {
    const rows = rowsBelow(markdown, 'Attempts');
    const units: Record<string, number> = { s: 1000, min: 60_000, h: 3_600_000 };
    const delays = rows
      .map(([, wait = '']) => /^(\d+) (s|min|h)$/.exec(wait))
      .flatMap((found) => (found ? [Number(found[1]) * units[found[2]!]!] : []));
    expect(delays).toEqual(defaultDeliveryPolicy.retryDelaysMs);
    expect(rows.map(([code]) => code).filter((code) => /^[A-Z_]{3,}$/.test(code ?? ''))).toEqual([
      ...FAILURE_CODES,
    ]);
  });
});
