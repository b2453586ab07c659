import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ok, RpsScene } from '../../test/kit/rps-scene.js';
import { commands } from './commands.js';
import { localAddress } from './operator-client.js';

let scene: RpsScene;
beforeAll(async () => {
  scene = await RpsScene.open();
});
afterAll(() => scene.close());
beforeEach(() => scene.reset());

const run = (line: string, options?: string[]) => scene.run(line, options);
const onTerminal = (line: string) => scene.onTerminal(line);
const url = () => scene.url;

describe('finding the service', () => {
  const from = async (env: Record<string, string>) => {
    const before = { ...process.env };
    Object.assign(process.env, env);
    try {
      return await run('account list', ['--data-dir', scene.folder]);
    } finally {
      process.env = before;
    }
  };

  it.each(['127.0.0.1', '0.0.0.0'])('calls the port of the service whose HOST is %j', async (HOST) => {
    expect((await from({ HOST, PORT: new URL(url()).port })).code).toBe(0);
    expect(scene.seen).toHaveLength(1);
  });

  it('puts an IPv6 address into brackets', () => {
    expect(localAddress('::', '8080')).toBe('http://[::1]:8080/v1');
  });

  it('prefers RPS_URL and --url', async () => {
    expect((await from({ PORT: '1', RPS_URL: url() })).code).toBe(0);
    expect((await from({ PORT: '1' })).code).toBe(1);
  });
});

const ID = '0193b1c0-0000-7000-8000-000000000001';

describe('giving an rps command', () => {
  it.each([
    ['account create --name Bakery', 'POST /accounts', { name: 'Bakery' }],
    [
      'account create --name B --slug b --virtual-printers-only --jobs-per-month 5 --max-content-bytes 99',
      'POST /accounts',
      { name: 'B', slug: 'b', virtual_printers_only: true, jobs_per_month: 5, max_content_bytes: 99 },
    ],
    ['account list', 'GET /accounts?limit=1000&offset=0', undefined],
    [`account get ${ID}`, `GET /accounts/${ID}`, undefined],
    [`account suspend ${ID}`, `POST /accounts/${ID}/suspend`, {}],
    [`account resume ${ID}`, `POST /accounts/${ID}/resume`, {}],
    [`account close ${ID}`, `POST /accounts/${ID}/close`, {}],
    [`account environment ${ID} off`, `POST /accounts/${ID}/environment`, { enabled: false }],
    [
      `account plan ${ID} --jobs-per-month none --max-auto-retries 4`,
      `POST /accounts/${ID}/plan`,
      { jobs_per_month: null, max_auto_retries: 4 },
    ],
    [
      `key create --account ${ID} --scopes jobs:read,jobs:create --expires-at 2027-01-01T00:00:00Z --name till`,
      `POST /accounts/${ID}/keys`,
      { scopes: ['jobs:read', 'jobs:create'], expires_at: '2027-01-01T00:00:00Z', name: 'till' },
    ],
    [`key list --account ${ID}`, `GET /accounts/${ID}/keys?limit=1000&offset=0`, undefined],
    [`key revoke ${ID}`, `POST /keys/${ID}/revoke`, {}],
    ['partner create --name Till', 'POST /partners', { name: 'Till' }],
    ['partner list', 'GET /partners?limit=1000&offset=0', undefined],
    [
      `partner credential --partner ${ID} --kind live --scopes jobs:write`,
      `POST /partners/${ID}/credentials`,
      { kind: 'live', scopes: ['jobs:write'] },
    ],
    [`partner credential revoke ${ID}`, `POST /credentials/${ID}/revoke`, {}],
    [`enrollment create --account ${ID} --ttl 60`, `POST /accounts/${ID}/enrollments`, { ttl: 60 }],
    [
      `computer list --account ${ID} --status offline`,
      `GET /accounts/${ID}/computers?status=offline`,
      undefined,
    ],
    [`computer show ${ID}`, `GET /computers/${ID}`, undefined],
    [
      `printer set ${ID} --text-encoding cp858 --line-ending none --cut-after on`,
      `POST /printers/${ID}`,
      { text_encoding: 'cp858', line_ending: null, cut_after: true },
    ],
    [`printer set ${ID} --paused off`, `POST /printers/${ID}`, { paused: false }],
    [`computer disable ${ID}`, `POST /computers/${ID}/disable`, {}],
    [`computer enable ${ID}`, `POST /computers/${ID}/enable`, {}],
    [`computer revoke ${ID}`, `POST /computers/${ID}/revoke`, {}],
    ['job list', 'GET /jobs', undefined],
    [
      `job list --account ${ID} --status manual_review --limit 5`,
      `GET /jobs?account_id=${ID}&status=manual_review&limit=5`,
      undefined,
    ],
    [`job show ${ID}`, `GET /jobs/${ID}`, undefined],
    [`job show ${ID} --at 2026-11-21T12:00:00Z`, `GET /jobs/${ID}?at=2026-11-21T12%3A00%3A00Z`, undefined],
    [
      `account state ${ID} --at 2026-11-21T12:00:00Z`,
      `GET /accounts/${ID}/state?at=2026-11-21T12%3A00%3A00Z`,
      undefined,
    ],
    [`job history ${ID}`, `GET /jobs/${ID}`, undefined],
    [`job explain ${ID}`, `GET /jobs/${ID}/explanation`, undefined],
    [`events stream job-${ID}`, `GET /streams/job-${ID}?limit=1000`, undefined],
    [
      'events all --after 00000000000000000009 --limit 5',
      'GET /events?after=00000000000000000009&limit=5',
      undefined,
    ],
    ['events export', 'GET /events?limit=1000', undefined],
    ['events export --after 7', 'GET /events?after=7&limit=1000', undefined],
    ['views list', 'GET /views', undefined],
    ['views rebuild job-view', 'POST /views/job-view/rebuild', {}],
    ['views verify', 'POST /views/verify', {}],
  ])('sends the request for %s', async (line, request, body) => {
    const { code } = await run(line);
    expect(code).toBe(0);
    expect(scene.seen).toEqual([
      { line: request.replace(' ', ' /v1/operator'), authorization: 'Bearer svc_operator_from_file', body },
    ]);
  });

  it('prints the data of the answer as JSON', async () => {
    scene.answers = [ok({ account_id: ID, name: 'Bakery' })];
    const { out, err } = await run('account create --name Bakery');
    expect(JSON.parse(out)).toEqual({ account_id: ID, name: 'Bakery' });
    expect(err).toBe('');
  });

  it('prints only the history for job history', async () => {
    const history = { job_id: ID, status: 'queued', history: [{ event_type: 'job.queued' }] };
    scene.answers = [ok({ ...history, title: 'Receipt' }), ok({ ...history, history_truncated: true })];
    expect(JSON.parse((await run(`job history ${ID}`)).out)).toEqual(history);
    expect(JSON.parse((await run(`job history ${ID}`)).out)).toEqual({ ...history, history_truncated: true });
  });

  it('escapes a value in the path', async () => {
    await run('views rebuild ../keys');
    expect(scene.seen[0]?.line).toBe('POST /v1/operator/views/..%2Fkeys/rebuild');
  });

  it('prefers the token from the command line', async () => {
    await run('account list', ['--url', url(), '--token', 'svc_operator_given']);
    expect(scene.seen[0]?.authorization).toBe('Bearer svc_operator_given');
  });
});

describe('reading events', () => {
  const events = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ type: 'JobQueued', position: String(from + i) }));

  it.each(['events all', 'events export'])('%s prints one a line, to the end of all pages', async (line) => {
    scene.answers = [ok({ items: events(1, 1000) }), ok({ items: events(1001, 2) })];
    const { out } = await run(line);
    expect(out.trim().split('\n')).toHaveLength(1002);
    expect(scene.seen.map(({ line }) => line.split('?')[1])).toEqual(['limit=1000', 'after=1000&limit=1000']);
  });

  it('stops at the limit', async () => {
    scene.answers = [ok({ items: events(1, 1000) }), ok({ items: events(1001, 500) })];
    const { out } = await run('events all --limit 1500');
    expect(out.trim().split('\n')).toHaveLength(1500);
    expect(scene.seen.map(({ line }) => line.split('?')[1])).toEqual(['limit=1000', 'after=1000&limit=500']);
  });
});

describe('listing', () => {
  it('follows the pages and prints one list', async () => {
    const accounts = Array.from({ length: 1003 }, (_, i) => ({ name: `account ${i}` }));
    scene.answers = [
      ok({ items: accounts.slice(0, 1000), total: 1003 }),
      ok({ items: accounts.slice(1000), total: 1003 }),
    ];
    const { out } = await run('account list');
    expect(JSON.parse(out)).toEqual({ items: accounts, total: 1003 });
    expect(scene.seen[1]?.line).toBe('GET /v1/operator/accounts?limit=1000&offset=1000');
  });
});

describe('a check ends with 1 if it finds a fault', () => {
  it.each([
    [true, 0],
    [false, 1],
  ])('of views: it prints the digests; equal: %s ends with %i', async (equal, expected) => {
    scene.answers = [
      ok({
        items: [
          { name: 'accounts', equal: true },
          { name: 'job-view', equal },
        ],
      }),
    ];
    const { code, out } = await run('views verify');
    expect(code).toBe(expected);
    expect(JSON.parse(out).items).toHaveLength(2);
  });

  it.each([
    ['nothing', [], 0],
    ['a log that was abandoned', [{ kind: 'halted', abandoned: true }], 0],
    ['a changed event', [{ kind: 'changed', stream: 'job-1', revision: 0 }], 1],
  ])('of evidence, which found %s', async (_, items, expected) => {
    scene.answers = [ok({ items, total: items.length, events: 116, checkpoints: 4 })];
    expect((await run('evidence audit')).code).toBe(expected);
  });
});

describe('a failing rps command', () => {
  it('prints code and message on stderr and exits with 1', async () => {
    scene.answers = [
      { status: 404, body: { code: 'ACCOUNT_NOT_FOUND', message: 'no such account', request_id: 'req-1' } },
    ];
    expect(await run(`account get ${ID}`)).toEqual({
      code: 1,
      out: '',
      err:
        'rps: ACCOUNT_NOT_FOUND (404): no such account [request req-1]\n' +
        'next: `rps account list` shows all accounts.\n',
    });
  });

  it.each([
    [502, '<h1>Bad gateway</h1>'],
    [200, '<h1>Welcome</h1>'],
    [404, '{}'],
  ])('reports an answer of another program: %i %s', async (status, body) => {
    scene.answers = [{ status, body }];
    const { code, err } = await run('account list');
    expect(code).toBe(1);
    expect(err).toContain(
      `rps: answered ${status}, and not as the operator surface does: ${body}\nnext: Check --url:`,
    );
  });

  it('reports an unreachable service and how to start it', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const options = ['--url', `http://127.0.0.1:${port}`, '--token', 'x'];
    const { code, err } = await run('account list', options);
    expect(code).toBe(1);
    expect(err).toContain(`rps: http://127.0.0.1:${port} cannot be reached: `);
    expect(err).toContain('next: Start the service (npm start), or give its address with --url; ');
  });

  it('names the remedy for a wrong token', async () => {
    scene.answers = [
      { status: 401, body: { code: 'CREDENTIAL_INVALID', message: 'The credential is not valid.' } },
    ];
    const { code, err } = await run('account list');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^rps: CREDENTIAL_INVALID \(401\).*\nnext: Give the operator token .*--token.*--data-dir/,
    );
  });

  it('names both releases when the service lacks the route', async () => {
    const own = (await run('--version')).out.trim();
    scene.version = '1.0.0';
    scene.answers = [{ status: 404, body: { code: 'ROUTE_NOT_FOUND', message: 'There is no such path.' } }];
    expect((await run('job list')).err).toContain(`next: The service is release 1.0.0, rps is ${own}: `);
    scene.version = own;
    scene.answers = [{ status: 404, body: { code: 'ROUTE_NOT_FOUND', message: 'There is no such path.' } }];
    expect((await run('job list')).err).toContain('next: Check --url;');
  });

  it('names the missing token file and the options for giving a token', async () => {
    const options = ['--url', url(), '--data-dir', path.join(scene.folder, 'none')];
    const { code, err } = await run('account list', options);
    expect(code).toBe(1);
    expect(err).toMatch(
      /no operator token: .*none\/operator-token cannot be read\nnext: .*--data-dir.*--token/,
    );
  });

  it.each([
    ['account create', "required option '--name <NAME>' not specified"],
    ['acount list', "rps: unknown command 'acount' (Did you mean account?)\nnext: "],
    ['job sohw', "rps: unknown command 'sohw' (Did you mean show?)\nnext: "],
    ['job list --acount x', "rps: unknown option '--acount' (Did you mean --account?)\nnext: "],
    ['job list -o xml', 'must be one of json, table, csv'],
    ['completion tcsh', 'must be one of bash, zsh, fish'],
    ['evidence export', 'which proof is not said'],
    [`account environment ${ID} maybe`, 'must be on or off'],
    [`account plan ${ID} --jobs-per-month many`, 'must be a whole number'],
    ['account frobnicate', "unknown command 'frobnicate'"],
    ['account list --verbose', "unknown option '--verbose'"],
    ['account list --url localhost:3000', 'must be an address such as http://127.0.0.1:3000'],
  ])('rejects "%s" without a request', async (line, message) => {
    const { code, out, err } = await run(line);
    expect({ code, out, seen: scene.seen }).toEqual({ code: 64, out: '', seen: [] });
    expect(err).toContain(message);
    expect(err).toContain('next: ');
  });
});

describe('the address of the service', () => {
  it.each(['', '/', '/v1', '/v1/'])('accepts an address ending in "%s"', async (end) => {
    const { code } = await run('views list', [
      '--url',
      url().replace('/v1', end),
      '--data-dir',
      scene.folder,
    ]);
    expect([code, scene.seen[0]?.line]).toEqual([0, 'GET /v1/operator/views']);
  });

  it('keeps the prefix of a proxy', async () => {
    await run('views list', ['--url', url().replace('/v1', '/print/'), '--data-dir', scene.folder]);
    expect(scene.seen[0]?.line).toBe('GET /print/v1/operator/views');
  });
});

describe('printing on a terminal', () => {
  const jobs = { items: [{ job_id: ID, status: 'queued', title: 'Receipt' }], total: 7 };

  it('prints a list as a table with the number of further items', async () => {
    scene.answers = [ok(jobs)];
    expect((await onTerminal('job list')).out).toBe(
      'JOB ID                                STATUS  FAILURE CODE  CREATED AT  PRINTER NAME  TITLE\n' +
        `${ID}  queued  -             -           -             Receipt\n` +
        '1 of 7; --limit N shows more\n',
    );
  });

  it('prints the same JSON with --json as into a pipe', async () => {
    scene.answers = [ok(jobs), ok(jobs)];
    const piped = await run('job list');
    expect(await onTerminal('job list --json')).toEqual(piped);
    expect(JSON.parse(piped.out)).toEqual(jobs);
  });

  it('prints events as a table, and exports as JSON lines', async () => {
    const event = { position: '1', recorded_at: 'noon', type: 'JobQueued', stream: 'job-1', data: {} };
    scene.answers = [ok({ items: [event] }), ok({ items: [event] }), ok({ items: [] })];
    expect((await onTerminal('events all')).out).toBe(
      'POSITION  RECORDED AT  TYPE       STREAM\n1         noon         JobQueued  job-1\n',
    );
    expect((await onTerminal('events export')).out).toBe(`${JSON.stringify(event)}\n`);
    expect((await onTerminal('events all')).out).toBe('');
  });
});

describe('asking rps for help', () => {
  it('names every command in one line', async () => {
    const { out } = await run('--help');
    for (const { words, summary: says } of commands) {
      const lines = out
        .split('\n')
        .filter((line) => line.startsWith(`  ${words} `) && line.endsWith(`  ${says}`));
      expect(lines).toHaveLength(1);
    }
    expect(out).toContain('  doctor ');
  });

  it('lists the commands of a group', async () => {
    expect((await run('job --help')).out).toMatch(/Commands:\n {2}list .*\n {2}show .*\n {2}history /);
  });
});
