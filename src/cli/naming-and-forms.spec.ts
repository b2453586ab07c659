import { ok, RpsScene } from '../../test/kit/rps-scene.js';
import type { Input } from './command.js';
import { commands } from './commands.js';

const ID = '0193b1c0-0000-7000-8000-000000000001';

let scene: RpsScene;
beforeAll(async () => {
  scene = await RpsScene.open();
});
afterAll(() => scene.close());
beforeEach(() => scene.reset());

const run = (line: string) => scene.run(line);
const onTerminal = (line: string) => scene.onTerminal(line);

describe('choosing the form of the output', () => {
  const created_at = '2026-11-21T12:00:00.000Z';
  const job = { job_id: ID, status: 'queued', created_at, title: '=1+1, "a"' };

  it('prints the columns of a list as CSV, with times as they are and formulas defused', async () => {
    scene.answers = [ok({ items: [job], total: 1 })];
    expect((await run('job list -o csv')).out).toBe(
      'job_id,status,failure_code,created_at,printer_name,title\r\n' +
        `${ID},queued,,${created_at},,"'=1+1, ""a"""\r\n`,
    );
  });

  it('prints the plain fields of an object, and the history of a job, as CSV', async () => {
    scene.answers = [ok({ account_id: ID, plan: { jobs_per_month: null }, virtual_printers_only: false })];
    expect((await run(`account get ${ID} -o csv`)).out).toBe(
      `account_id,virtual_printers_only\r\n${ID},false\r\n`,
    );
    scene.answers = [
      ok({ job_id: ID, status: 'queued', history: [{ created_at, event_type: 'job.created' }] }),
    ];
    const [, line] = (await run(`job history ${ID} -o csv`)).out.split('\r\n');
    expect(line).toBe(`${created_at},job.created,,,,`);
  });

  it('prints a table into a pipe, and JSON on a terminal, when asked', async () => {
    scene.answers = [ok({ items: [job] }), ok({ items: [job] })];
    expect((await run('job list -o table')).out).toContain('JOB ID ');
    expect(JSON.parse((await onTerminal('job list -o json')).out)).toEqual({ items: [job] });
  });

  it('prints one field, and fails without it', async () => {
    scene.answers = [ok({ items: [job] }), ok({ items: [job] })];
    expect((await run('job list --field items.0.job_id')).out).toBe(`${ID}\n`);
    const { code, err } = await run('job list --field items.1.job_id');
    expect([code, err]).toEqual([1, expect.stringContaining('next: Choose one of items')]);
  });

  it('prints the whole answer of an action that lacks the field: a secret is shown only once', async () => {
    const made = { key_id: ID, api_key: 'svc_live_key' };
    scene.answers = [ok(made)];
    const shown = await run(`key create --account ${ID} --scopes jobs:read -o csv --field apikey`);
    expect([shown.code, JSON.parse(shown.out)]).toEqual([1, made]);
    expect(shown.err).toContain('rps: the answer has no field apikey\nnext: Choose one of key_id, api_key');
  });

  it('refuses a field of one answer for several files before it asks', async () => {
    const create = `job create --printer desk --account shop LICENSE README.md --field`;
    const refused = await run(`${create} job_id`);
    expect([refused.code, scene.seen]).toEqual([64, []]);
    expect(refused.err).toContain('next: Name the field of one of them: items.0.job_id.');
    scene.answers = [
      ok({ items: [{ account_id: ID, slug: 'shop' }] }),
      ...[1, 2].map(() => ok({ job_id: ID, status: 'queued' })),
    ];
    expect((await run(`${create} items.1.job_id`)).out).toBe(`${ID}\n`);
  });
});

describe('listening on a terminal', () => {
  const change = {
    ...{ event_id: ID, event_type: 'job.failed', created_at: 'noon', account_id: ID },
    data: { job: { job_id: ID, title: 'Order' } },
  };
  const answer = () => (scene.answers = [ok({ items: [change], next_cursor: 'c' })]);

  it('prints lines for people', async () => {
    answer();
    expect((await onTerminal('listen --count 1')).out).toMatch(/^noon {2}job.failed .* {2}Order\n$/);
  });

  it.each(['--json listen --count 1', 'listen --count 1 --json'])('prints JSON with %s', async (line) => {
    answer();
    expect(JSON.parse((await onTerminal(line)).out)).toEqual(change);
  });
});

describe('listening through an outage', () => {
  const change = { event_id: ID, event_type: 'job.failed', created_at: 'noon', account_id: ID, data: {} };

  it('goes on after the same cursor, and says once that the service is away and back', async () => {
    const away = { status: 502, body: 'bad gateway' };
    scene.answers = [
      ok({ items: [], next_cursor: 'c' }),
      away,
      away,
      ok({ items: [change], next_cursor: 'd' }),
    ];
    const { code, out, err } = await run('listen --after b --count 1');
    expect([code, JSON.parse(out)]).toEqual([0, change]);
    expect(scene.seen.map(({ line }) => /after=(\w+)/.exec(line)![1])).toEqual(['b', 'c', 'c', 'c']);
    expect(err.match(/asking again until it is back/g)).toHaveLength(1);
    expect(err.match(/the service is back/g)).toHaveLength(1);
  });

  it.each([
    ['the first request fails', [{ status: 502, body: 'bad gateway' }]],
    [
      'the token was revoked',
      [
        ok({ items: [], next_cursor: 'c' }),
        { status: 401, body: { code: 'CREDENTIAL_INVALID', message: 'no' } },
      ],
    ],
  ])('ends if %s', async (_, answers) => {
    scene.answers = [...answers];
    expect((await run('listen --count 1')).code).toBe(1);
  });
});

describe('text that would steer the terminal', () => {
  const title = 'a\u001b[2J\u202eb';

  it.each([
    ['--field items.0.title', 'a\u{fffd}[2J\u{fffd}b\n'],
    ['-o csv', `\r\n${ID},,,,,a\u{fffd}[2J\u{fffd}b\r\n`],
  ])('is replaced with %s', async (flags, shown) => {
    scene.answers = [ok({ items: [{ job_id: ID, title }] }), ok({ items: [{ job_id: ID, title }] })];
    expect((await onTerminal(`job list ${flags}`)).out).toContain(shown);
    expect((await run(`job list ${flags}`)).out).toContain(title);
  });

  it.each(['job list --json', 'job list --field items', 'events export', '--json listen --count 1'])(
    'is escaped in the JSON of %s, which stays the same',
    async (line) => {
      const page = { items: [{ title: 'a\u009b2J\u202eb\u{e0001}' }], next_cursor: 'c' };
      scene.answers = [ok(page), ok(page)];
      const [shown, piped] = [await onTerminal(line), await run(line)];
      expect(shown.out).toContain('"a\\u009b2J\\u202eb\\udb40\\udc01"');
      expect(JSON.parse(shown.out)).toEqual(JSON.parse(piped.out));
      expect(piped.out).toContain(page.items[0]!.title);
    },
  );

  it.each(['listen --count 1', 'events all -o csv'])('is replaced by %s', async (line) => {
    const ids = { event_id: ID, account_id: ID, created_at: 'noon', position: '1' };
    const event = { ...ids, event_type: title, type: title, data: { job: { job_id: ID, title } } };
    scene.answers = [ok({ items: [event], next_cursor: 'c' })];
    const { out } = await onTerminal(line);
    expect(out).toContain('a\u{fffd}[2J\u{fffd}b');
    for (const character of '\u001b\u202e') expect(out).not.toContain(character);
  });

  it.each([
    { status: 502, body: title },
    { status: 400, body: { code: 'INVALID_REQUEST', message: title } },
  ])('is replaced in an error: $status', async (answer) => {
    scene.answers = [answer];
    expect((await onTerminal('job list')).err).toContain(': a\u{fffd}[2J\u{fffd}b\n');
  });
});

describe('naming a thing', () => {
  const other = ID.replace(/1$/, '2');
  const accounts = ok({
    items: [
      { account_id: ID, slug: 'shop' },
      { account_id: other, slug: 'shop-2' },
    ],
  });

  it.each([
    ['shop', ID],
    ['SHOP-2', other],
    [other.slice(0, -1), undefined],
    [other.toUpperCase(), other],
  ])('finds the account %s', async (given, id) => {
    scene.answers = given === other.toUpperCase() ? [] : [accounts];
    expect((await run(`account get ${given}`)).code).toBe(id ? 0 : 1);
    if (id) expect(scene.seen.at(-1)?.line).toBe(`GET /v1/operator/accounts/${id}`);
  });

  it('lists the candidates of an ambiguous beginning', async () => {
    scene.answers = [accounts];
    const { code, err } = await run(`account get ${ID.slice(0, 8)}`);
    expect([code, scene.seen.length]).toEqual([1, 1]);
    expect(err).toContain(`next: Give the id, or more of it:\n  ${ID}\n  ${other}\n`);
  });

  describe('of which the search has left something out', () => {
    const result = (kind: string, id: string, title = 'till', code = 'PC-1A2B3C4D') => ({
      ...{ kind, id, title, detail: kind === 'computer' ? `${code}, online` : '' },
    });
    const times = <T>(count: number, of: T) => Array.from({ length: count }, () => of);
    const found = (...results: object[]) => (scene.answers = [ok({ results }), ok({})]);

    it('takes no beginning of an id', async () => {
      found(...times(5, result('job', ID)), ...times(15, result('computer', other)));
      const { code, err } = await run(`job cancel ${ID.slice(0, 8)}`);
      expect([code, scene.seen.length]).toEqual([1, 1]);
      expect(err).toContain(`too much begins with ${ID.slice(0, 8)}\nnext: Give more of the id of the job.`);
    });

    it('takes the code of a computer, and the name where no computer is left out', async () => {
      found(result('computer', ID), ...times(19, result('computer', other, 'till 2', 'PC-00000000')));
      expect((await run('computer disable pc-1a2b3c4d')).code).toBe(0);
      found(
        result('computer', ID),
        ...times(3, result('computer', other, 'till 2')),
        ...times(16, result('job', other)),
      );
      expect((await run('computer disable till')).code).toBe(0);
      expect(scene.seen.at(-1)?.line).toBe(`POST /v1/operator/computers/${ID}/disable`);
    });

    it('takes no name that another computer may have, and advises the code', async () => {
      found(result('computer', ID), ...times(19, result('computer', other, 'till 2')));
      const { code, err } = await run('computer disable till');
      expect([code, scene.seen.length]).toEqual([1, 1]);
      expect(err).toContain('next: Give its code, as PC-1A2B3C4D, which is unique, or');
    });
  });

  it('looks for a delivery among the newest 100, and says so', async () => {
    const deliveries = Array.from({ length: 100 }, (_, n) => ({ delivery_id: `${100_000 + n}-` }));
    scene.answers = [ok({ items: deliveries }), ok({ delivery: { status: 'delivered' } })];
    expect((await run(`webhook retry 100099 --account ${ID}`)).code).toBe(0);
    expect(scene.seen[0]?.body).toEqual({ limit: 100 });
    scene.answers = [ok({ items: deliveries })];
    const older = await run(`webhook retry 200000 --account ${ID}`);
    expect([older.code, older.err]).toEqual([
      1,
      'rps: no delivery is 200000\nnext: It is not among the newest 100: give the whole id.\n',
    ]);
  });

  it.each([ID.slice(0, 5), 'nobody'])('knows no account %s', async (given) => {
    scene.answers = [accounts];
    const { code, err } = await run(`account get ${given}`);
    expect([code, err]).toEqual([1, expect.stringContaining(`no account is ${given}\nnext: Give the id`)]);
  });

  it('must know the account of a key that is named', async () => {
    const { code, err } = await run('key revoke till');
    expect([code, scene.seen]).toEqual([1, []]);
    expect(err).toContain('with --account');
    scene.answers = [accounts, ok({ items: [{ key_id: other, name: 'till' }] }), ok({})];
    expect((await run('key revoke till --account shop')).code).toBe(0);
    expect(scene.seen.map(({ line }) => line)).toEqual([
      'GET /v1/operator/accounts?limit=1000&offset=0',
      `GET /v1/operator/accounts/${ID}/keys?limit=1000&offset=0`,
      `POST /v1/operator/keys/${other}/revoke`,
    ]);
  });
});

describe('the flags of a command', () => {
  it('are none of those that say where the service is: another address would get the token', async () => {
    const global = (await run('--help')).out.match(/^ {2}--[a-z-]+/gm)!.map((flag) => flag.trim());
    expect(global).toEqual(expect.arrayContaining(['--url', '--token', '--data-dir']));
    const named = ({ flag, field }: Input) => `--${flag ?? field.replaceAll('_', '-')}`;
    const taken = commands.filter(({ flags = [] }) => flags.some((flag) => global.includes(named(flag))));
    expect(taken.map(({ words }) => words)).toEqual([]);
  });

  it('let a webhook have another address', async () => {
    scene.answers = [ok({ webhook: { webhook_id: ID } })];
    await run(`webhook set ${ID} --account ${ID} --new-url https://hooks.example.com/new`);
    expect(scene.seen).toEqual([
      expect.objectContaining({ body: { webhook_id: ID, url: 'https://hooks.example.com/new' } }),
    ]);
  });
});
