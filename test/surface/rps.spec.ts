import { rps } from '../../src/cli/program.js';
import { startTestService, type TestService } from '../kit/service.js';
import { createJob, TestAgent } from '../kit/world.js';

describe('operating the service with rps', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  const run = async (...words: string[]) => {
    let out = '';
    let err = '';
    const place = ['--url', service.url, '--data-dir', service.config.dataDir];
    const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
    const code = await rps([...place, ...words], output);
    return { code, out, err };
  };
  /** Output of a command, which must succeed. */
  const data = async (...words: string[]) => {
    const { code, out, err } = await run(...words);
    if (code !== 0) throw new Error(`rps ${words.join(' ')}: ${code} ${err}`);
    return JSON.parse(out) as Record<string, unknown>;
  };
  const openAccount = async (...flags: string[]) =>
    String((await data('account', 'create', '--name', 'Acme', ...flags)).account_id);
  const newKey = async (accountId: string, scopes: string) =>
    data('key', 'create', '--account', accountId, '--scopes', scopes, '--name', 'Till');

  it('finds the operator token in the data folder', async () => {
    expect((await run('account', 'list')).code).toBe(0);
    expect((await run('--token', 'svc_operator_wrong', 'account', 'list')).code).toBe(1);
  });

  it('manages an account from opening to closing', async () => {
    const flags = ['--slug', 'acme-north', '--virtual-printers-only', '--jobs-per-month', '5'];
    const id = await openAccount(...flags, '--max-content-bytes', '1000');
    expect(await data('account', 'get', id)).toMatchObject({
      slug: 'acme-north',
      virtual_printers_only: true,
      plan: { jobs_per_month: 5, max_content_bytes: 1000 },
    });
    expect(await data('account', 'suspend', id)).toMatchObject({ status: 'suspended' });
    expect(await data('account', 'resume', id)).toMatchObject({ status: 'active' });
    expect(await data('account', 'environment', id, 'off')).toMatchObject({ environment_enabled: false });
    expect(await data('account', 'environment', id, 'on')).toMatchObject({ environment_enabled: true });
    const plan = await data('account', 'plan', id, '--jobs-per-month', 'none', '--max-auto-retries', '9');
    expect(plan.plan).toEqual({ jobs_per_month: null, max_content_bytes: 1000, max_auto_retries: 9 });
    expect(await data('account', 'close', id)).toMatchObject({ status: 'closed' });
    const { items } = await data('account', 'list');
    expect((items as { account_id: string }[])[0]!.account_id).toBe(id);
  });

  it('creates a working key, lists it without its secret, and revokes it', async () => {
    const accountId = await openAccount();
    const { api_key, key_id } = (await newKey(accountId, 'account:read,jobs:read')) as Record<string, string>;
    const getAccount = () => service.call('GET', '/svc-api-account', { as: api_key! });
    expect((await getAccount()).status).toBe(200);
    const { out } = await run('key', 'list', '--account', accountId);
    expect(out).toContain(key_id);
    expect(out).not.toContain(api_key);
    expect(await data('key', 'revoke', key_id!)).toMatchObject({ status: 'revoked' });
    expect((await getAccount()).status).toBe(401);
  });

  it('creates partners and their credentials', async () => {
    const { partner_id, partner } = (await data('partner', 'create', '--name', 'Till Systems')) as Record<
      string,
      string
    >;
    expect(partner).toBe('till-systems');
    const flags = ['--partner', partner_id!, '--kind', 'test', '--scopes', 'diagnostics:read'];
    const made = (await data('partner', 'credential', ...flags)) as Record<string, string>;
    expect(made.credential).toMatch(/^svc_partner_test_/);
    const revoked = await data('partner', 'credential', 'revoke', made.credential_id!);
    expect(revoked).toMatchObject({ status: 'revoked' });
    const { items } = await data('partner', 'list');
    expect(items).toEqual([expect.objectContaining({ partner_id })]);
  });

  it('enrols, disables, enables and revokes a computer, and lists the events of its job', async () => {
    const accountId = await openAccount();
    const { api_key } = (await newKey(accountId, 'jobs:create,jobs:read')) as Record<string, string>;
    const token = await data('enrollment', 'create', '--account', accountId, '--ttl', '60');
    expect(token.enrollment_token).toMatch(/^svc_enroll_live_/);
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    const created = await createJob(service, api_key!, printerId);
    await agent.print();
    const { out } = await run('events', 'stream', `job-${String(created.body.data!.job_id)}`);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines[0]!.type).toBe('JobCreated');
    expect(lines.at(-1)!.type).toBe('JobCompleted');
    for (const [verb, status] of [
      ['disable', 'disabled'],
      ['enable', 'online'],
      ['revoke', 'revoked'],
    ] as const)
      expect(await data('computer', verb, agent.computerId)).toMatchObject({ status });
  });

  it('lists a job, shows it with its history, and shows its computer', async () => {
    const accountId = await openAccount();
    const { api_key } = (await newKey(accountId, 'jobs:create,jobs:read')) as Record<string, string>;
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    const jobId = String((await createJob(service, api_key!, printerId)).body.data!.job_id);
    const flags = ['--account', accountId, '--status', 'queued', '--limit', '1'];
    expect(await data('job', 'list', ...flags)).toMatchObject({ items: [{ job_id: jobId }], total: 1 });
    const shown = await data('job', 'show', jobId);
    expect(shown).toMatchObject({ job_id: jobId, account: { account_id: accountId } });
    const { history } = await data('job', 'history', jobId);
    expect(history).toEqual(shown.history);
    const computer = await data('computer', 'show', agent.computerId);
    expect(computer).toMatchObject({ ...(shown.computer as object), printers: [{ printer_id: printerId }] });
  });

  it('prints all events, one JSON object a line, from a position and up to a limit', async () => {
    const { out } = await run('events', 'all');
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { position: string });
    expect(lines.length).toBeGreaterThan(10);
    const tail = await run('events', 'all', '--after', lines[4]!.position, '--limit', '3');
    expect(
      tail.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(lines.slice(5, 8));
  });

  it('lists, rebuilds and verifies the views', async () => {
    const { items } = (await data('views', 'list')) as { items: { name: string }[] };
    expect(items.map(({ name }) => name)).toContain('job-view');
    expect(await data('views', 'rebuild', 'job-view')).toMatchObject({ name: 'job-view', lag: 0 });
    expect((await run('views', 'verify')).code).toBe(0);
  });

  it('prints a refusal on stderr, nothing on stdout, and exits with 1', async () => {
    const { code, out, err } = await run('account', 'get', '01990000-0000-7000-8000-00000000dead');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('ACCOUNT_NOT_FOUND');
  });
});
