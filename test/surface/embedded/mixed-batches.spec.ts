import { randomUUID } from 'node:crypto';
import type { Answered } from '../../kit/http/client.js';
import { TestPartner } from '../../kit/partner.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { onePrinter, openAccount, TestAgent } from '../../kit/world.js';
import { DAY, verdict } from '../asking.js';

type Item = Readonly<Record<string, unknown>>;

interface Result {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
  readonly data?: object;
}

/** One account as a surface sees it. */
interface Desk {
  readonly accountId: string;
  create(item: Item): Promise<Answered>;
  createMany(jobs: readonly unknown[]): Promise<Answered>;
}

type Surface = 'integration' | 'partner';
type Codes = Readonly<Record<Surface, string>>;

const { capabilities } = onePrinter;
const PRINTERS = {
  good: {},
  paused: {},
  stuck: {},
  disabled: {},
  offline: { online: false },
  removed: {},
  pdfOnly: { capabilities: { ...capabilities, content_types: ['pdf'] } },
  a4: { capabilities: { ...capabilities, options: ['paper'], papers: ['A4'] } },
};
type Printers = Readonly<Record<keyof typeof PRINTERS | 'foreign' | 'withoutOptions', string>>;

const both = (code: string): Codes => ({ integration: code, partner: code });
const prefixed = (status: number, code: string): Codes => ({
  integration: `${status} SVC_${code}`,
  partner: `${status} ${code}`,
});
const CREATED = prefixed(201, 'JOB_CREATED');
const REPLAYED = prefixed(200, 'JOB_IDEMPOTENT_REPLAY');
const CONFLICT: Codes = {
  integration: '409 SVC_JOB_IDEMPOTENCY_CONFLICT',
  partner: '409 SVC_IDEMPOTENCY_CONFLICT',
};
const INVALID: Codes = { integration: '400 SVC_VALIDATION_FAILED', partner: '400 INVALID_REQUEST' };
const OVERRIDE: Codes = { ...INVALID, partner: '403 AUTHORITY_OVERRIDE' };
const UNKNOWN = prefixed(404, 'PRINTER_NOT_FOUND');
const NOT_READY = prefixed(409, 'PRINTER_NOT_READY');
const TOO_LARGE = prefixed(413, 'CONTENT_TOO_LARGE');

const text = (data: string) => ({ type: 'text', encoding: 'utf8', data });
const base64 = (type: string, data: string | Buffer) => ({
  ...{ type, encoding: 'base64' },
  data: Buffer.from(data).toString('base64'),
});
const PDF = base64('pdf', '%PDF-1.7');
const PLAN_BYTES = 100_000;

/** Each kind of job, in the order in which they are sent. */
const kindsOf = (printers: Printers, fromNow: TestService['fromNow']): readonly [string, Codes, Item][] => {
  const at = (printer: keyof Printers, more: Item = {}) => ({ printer_id: printers[printer], ...more });
  const good = (more: Item = {}) => at('good', more);
  const onA4 = (options: object, content: object = PDF) => at('a4', { content, options });
  return [
    ['good', CREATED, good({ idempotency_key: 'first-key' })],
    ['the same again', REPLAYED, good({ idempotency_key: 'first-key' })],
    ['another under its key', CONFLICT, good({ idempotency_key: 'first-key', copies: 2 })],
    ['of an unknown printer', UNKNOWN, { printer_id: randomUUID() }],
    ['of a printer of another account', UNKNOWN, at('foreign')],
    ['of an offline printer', NOT_READY, at('offline')],
    ['of a disabled printer', NOT_READY, at('disabled')],
    ['of a removed printer', NOT_READY, at('removed')],
    ['of a paused printer', CREATED, at('paused')],
    ['of a stuck printer', CREATED, at('stuck')],
    ['of a type that the printer does not take', prefixed(409, 'CONTENT_TYPE_NOT_SUPPORTED'), at('pdfOnly')],
    ['with an option that the printer has', CREATED, onA4({ paper: 'A4' })],
    ['with another one', prefixed(409, 'OPTION_NOT_SUPPORTED'), onA4({ paper: 'A3' })],
    ['with another one that may be ignored', CREATED, onA4({ paper: 'A3', unsupported: 'ignore' })],
    [
      'with an option of an older Agent',
      prefixed(409, 'AGENT_TOO_OLD'),
      at('withoutOptions', { content: PDF, options: { paper: 'A4' } }),
    ],
    ['with an option of raw content', INVALID, onA4({ paper: 'A4' }, base64('raw', 'x'))],
    ['with an unknown option', INVALID, onA4({ papers: 'A4' })],
    ['larger than the plan allows', TOO_LARGE, good({ content: text('x'.repeat(PLAN_BYTES + 1)) })],
    ['larger than any plan allows', TOO_LARGE, good({ content: base64('raw', Buffer.alloc(10_485_761)) })],
    ['as large as the plan allows', CREATED, good({ content: text('x'.repeat(PLAN_BYTES)) })],
    ['without content', INVALID, good({ content: undefined })],
    ['with empty content', INVALID, good({ content: text('') })],
    ['that is no PDF', INVALID, good({ content: base64('pdf', 'no') })],
    ['that is no Base64', INVALID, good({ content: { type: 'raw', encoding: 'base64', data: 'b%' } })],
    ['with too many copies', INVALID, good({ copies: 21 })],
    ['with a long title', INVALID, good({ title: 'x'.repeat(161) })],
    ['with two faults', INVALID, good({ copies: 0, external_id: 'x'.repeat(121) })],
    ['with an unknown field', INVALID, good({ colour: 'red' })],
    ['of a printer without an id', INVALID, { printer_id: 'till-1' }],
    ['that names its account', OVERRIDE, good({ account_id: randomUUID() })],
    ['that expired before', INVALID, good({ expires_at: fromNow(-1) })],
    ['that expires too late', INVALID, good({ expires_at: fromNow(31 * DAY) })],
    ['that expires in time', CREATED, good({ expires_at: fromNow(DAY) })],
    ['good, after all of them', CREATED, good({ title: 'Last', external_id: 'order-1', copies: 20 })],
  ];
};

/** Ids and codes differ from account to account. */
const anonymous = (data: object | undefined): unknown =>
  data && JSON.parse(JSON.stringify(data).replace(/[0-9a-f]{8}-[0-9a-f-]{27}|PR-[0-9A-F]+/g, '*'));

/** A single create as the result of a batch shows it. */
const asResult = ({ status, body: { code, message, data } }: Answered) =>
  status < 300 ? { status, code, data: anonymous(data) } : { status, code, message };

describe.each<Surface>(['integration', 'partner'])('a batch of mixed jobs on the %s surface', (surface) => {
  let service: TestService;
  let partner: TestPartner;
  beforeAll(async () => {
    service = await startTestService();
    partner = await TestPartner.open(service);
  });
  afterAll(() => service.close());

  async function openDesk(plan: object = {}): Promise<Desk> {
    const desk = surface === 'partner' ? await partnerDesk() : await integrationDesk();
    await service.operate('POST', `/accounts/${desk.accountId}/plan`, plan);
    return desk;
  }

  const deskAt = (accountId: string, as: string, path: string): Desk => ({
    accountId,
    create: ({ idempotency_key, ...json }) =>
      service.call('POST', path, { as, json, headers: { 'idempotency-key': String(idempotency_key) } }),
    createMany: (jobs) => service.call('POST', `${path}/batch`, { as, json: { jobs } }),
  });
  const integrationDesk = async () => {
    const { accountId, key } = await openAccount(service);
    return deskAt(accountId, key, '/svc-api-print-jobs');
  };
  const partnerDesk = async () => {
    const accountId = await partner.account();
    return deskAt(accountId, partner.credential, `/accounts/${accountId}/jobs`);
  };

  async function printersOf({ accountId }: Desk): Promise<Printers> {
    const described = Object.entries(PRINTERS).map(([key, more]) => ({
      ...{ ...onePrinter, ...more },
      ...{ printer_key: key, name: key, is_default: key === 'good' },
    }));
    const { agent, printerIds } = await TestAgent.ready(service, accountId, described, ['options/1']);
    const ids = Object.fromEntries(described.map(({ name }, n) => [name, printerIds[n]!]));
    await agent.inventory(described.filter(({ name }) => name !== 'removed'));
    await service.operate('POST', `/printers/${ids.disabled}`, { enabled: false });
    await service.operate('POST', `/printers/${ids.paused}`, { paused: true });
    await reportStuck(agent);
    const { printerId: withoutOptions } = await TestAgent.ready(service, accountId, [
      { ...onePrinter, ...PRINTERS.a4 },
    ]);
    const { printerId: foreign } = await TestAgent.ready(service, (await openAccount(service)).accountId);
    return { ...ids, withoutOptions, foreign } as Printers;
  }

  const reportStuck = (agent: TestAgent) =>
    agent.call('POST', '/heartbeat', {
      json: {
        ...{ session_id: agent.sessionId, leases: [] },
        health: {
          ...{ free_bytes: 9e9, low_space: false, unsent_reports: 0, oldest_report_seconds: 0 },
          stuck_printers: [{ printer_key: 'stuck', reason: 'no progress', since: service.clock.now() }],
        },
      },
    });

  const kindsAt = async (desk: Desk) =>
    kindsOf(await printersOf(desk), service.fromNow).map(
      ([what, codes, job], n) =>
        [what, codes, { idempotency_key: `key-of-${n}`, content: text('Label'), ...job }] as const,
    );

  /** The answers to the same requests, one after the other. */
  async function alone(desk: Desk, jobs: readonly Item[]) {
    const answers: Answered[] = [];
    for (const job of jobs) answers.push(await desk.create(job));
    return answers;
  }

  async function together(desk: Desk, jobs: readonly unknown[]): Promise<readonly Result[]> {
    const answered = await desk.createMany(jobs);
    expect(verdict(answered)).toMatch(/^200 (SVC_)?JOBS_SUBMITTED$/);
    return answered.body.data!.results as Result[];
  }

  const shown = (results: readonly Result[]) =>
    results.map(({ data, ...result }) => (data ? { ...result, data: anonymous(data) } : result));

  it.each([
    ['without a limit of jobs', {}],
    ['that counts its jobs', { jobs_per_month: 1_000 }],
  ])('answers each job as a single create, in an account %s', async (_, limit) => {
    const plan = { max_content_bytes: PLAN_BYTES, ...limit };
    const [first, second] = [await openDesk(plan), await openDesk(plan)];
    const singles = await alone(
      first,
      (await kindsAt(first)).map(([, , job]) => job),
    );
    const kinds = await kindsAt(second);
    const jobs = kinds.map(([, , job]) => job);

    const results = await together(second, jobs);

    const named = (codes: readonly string[]) => kinds.map(([what], n) => `${what}: ${codes[n]}`);
    const expected = named(kinds.map(([, codes]) => codes[surface]));
    expect(named(singles.map(verdict))).toEqual(expected);
    expect(named(results.map(({ status, code }) => `${status} ${code}`))).toEqual(expected);
    expect(shown(results)).toEqual(singles.map(asResult));
    const again = await alone(second, jobs);
    expect(shown(await together(second, jobs))).toEqual(again.map(asResult));
    expect(again.filter(({ status }) => status === 201)).toEqual([]);
  });

  it('answers jobs over the plan as single creates', async () => {
    const desks = [await openDesk({ jobs_per_month: 2 }), await openDesk({ jobs_per_month: 2 })];
    const [first = [], second = []] = await Promise.all(
      desks.map(async (desk) => {
        const { good, offline } = await printersOf(desk);
        const job = (n: number, more: Item = {}) => ({
          ...{ idempotency_key: `label-key-${n}`, printer_id: good, content: text(`Label ${n}`) },
          ...more,
        });
        return [
          job(0),
          job(1, { printer_id: offline }),
          job(2),
          job(2),
          job(3),
          job(0, { copies: 2 }),
          job(0),
        ];
      }),
    );

    const singles = await alone(desks[0]!, first);
    const results = await together(desks[1]!, second);

    const over = surface === 'partner' ? '409 PLAN_LIMIT_REACHED' : '402 SVC_PLAN_LIMIT_REACHED';
    const expected = [CREATED, NOT_READY, CREATED, REPLAYED, both(over), CONFLICT, REPLAYED];
    expect(singles.map(verdict)).toEqual(expected.map((codes) => codes[surface]));
    expect(shown(results)).toEqual(singles.map(asResult));
  });

  it.each([
    ['suspended', 'suspend', undefined],
    ['switched off', 'environment', { enabled: false }],
  ])('is refused as a single create while the account is %s', async (_, path, json) => {
    const desk = await openDesk();
    const [, , job] = (await kindsAt(desk))[0]!;
    await service.operate('POST', `/accounts/${desk.accountId}/${path}`, json);
    const [single, many] = [await desk.create(job), await desk.createMany([job])];
    expect(single.status).toBeGreaterThanOrEqual(400);
    expect(asResult(many)).toEqual(asResult(single));
  });

  it('answers replays and conflicts after the account was closed as single creates', async () => {
    const desk = await openDesk();
    const { good } = await printersOf(desk);
    const job = { idempotency_key: 'first-key', printer_id: good, content: text('Label') };
    await desk.create(job);
    await service.operate('POST', `/accounts/${desk.accountId}/close`);
    const jobs = [job, { ...job, copies: 2 }, { ...job, idempotency_key: 'next-key' }];
    const singles = await alone(desk, jobs);
    const answered = await desk.createMany(jobs);
    if (surface === 'integration') {
      expect([...singles, answered].map(verdict)).toEqual(Array(4).fill('401 API_KEY_INVALID'));
      return;
    }
    expect(singles.map(verdict)).toEqual([REPLAYED.partner, CONFLICT.partner, '409 ACCOUNT_CLOSED']);
    expect(shown(answered.body.data!.results as Result[])).toEqual(singles.map(asResult));
  });
});

describe('a batch of an account for virtual printers only', () => {
  let service: TestService;
  beforeAll(async () => void (service = await startTestService()));
  afterAll(() => service.close());

  it('refuses jobs of other printers, whether ready or not, as single creates', async () => {
    const { accountId, key: as } = await openAccount(service, { virtual_printers_only: true });
    const real = { ...onePrinter, is_virtual: false };
    const { printerIds } = await TestAgent.ready(service, accountId, [
      onePrinter,
      { ...real, printer_key: 'real' },
      { ...real, printer_key: 'off', online: false },
    ]);
    const jobs = printerIds.map((printer_id, n) => ({
      ...{ idempotency_key: `label-key-${n}`, printer_id, content: text('Label') },
    }));
    const path = '/svc-api-print-jobs';
    const many = await service.call('POST', `${path}/batch`, { as, json: { jobs } });
    const results = many.body.data!.results as Result[];
    const refused = '403 SVC_VIRTUAL_PRINTERS_ONLY';
    expect(results.map(({ status, code }) => `${status} ${code}`)).toEqual([
      ...[CREATED.integration, refused, refused],
    ]);
    const [, ...others] = jobs;
    for (const [n, { idempotency_key, ...json }] of others.entries()) {
      const headers = { 'idempotency-key': idempotency_key };
      expect(asResult(await service.call('POST', path, { as, json, headers }))).toEqual(results[n + 1]);
    }
  });
});
