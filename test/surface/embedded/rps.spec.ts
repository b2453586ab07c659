import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Changes } from '../../../src/api/changes.js';
import { verifyWebhook } from '../../../sdk/src/webhooks.js';
import { eventually, soon } from '../../kit/polling.js';
import { serviceForAll } from '../../kit/service.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { createJob, onePrinter, TestAgent } from '../../kit/world.js';
import { dataAt, rpsAt } from '../../kit/rps-at.js';

describe('operating the service with rps', () => {
  const service = serviceForAll();

  const run = (...words: string[]) => rpsAt(service, words);
  const data = (...words: string[]) => dataAt(service, words);
  const openAccount = async (...flags: string[]) =>
    String((await data('account', 'create', '--name', 'Acme', ...flags)).account_id);
  const newKey = async (accountId: string, scopes: string) =>
    data('key', 'create', '--account', accountId, '--scopes', scopes, '--name', 'Till');

  it('finds the operator token in the data folder', async () => {
    expect((await run('account', 'list')).code).toBe(0);
    expect((await run('--token', 'svc_operator_wrong', 'account', 'list')).code).toBe(1);
  });

  it.each([true, false])(
    'follows what happens and posts it, signed as a webhook; one account: %s',
    async (isOne) => {
      const receiver = await WebhookReceiver.start();
      const accountId = await openAccount();
      const waiting = () => service.service.app.get(Changes, { strict: false }).waiting;
      const of = isOne ? ['--account', accountId] : [];
      const url = `http://127.0.0.1:${receiver.port}/ok`;
      const listening = run('listen', ...of, '--count', '2', '--forward-to', url);
      await soon(() => waiting() === 1);
      await TestAgent.ready(service, accountId, [onePrinter]);
      const { code, out, err } = await listening;
      const [first, second] = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect([code, first!.event_type, first!.account_id]).toEqual([0, 'computer.registered', accountId]);
      expect(err).toContain(`${String(second!.event_type)} ${String(second!.event_id)}: 200`);
      const secret = /whsec_live_\S+/.exec(err)![0];
      const verified = receiver.requests.map(({ body, headers }) => verifyWebhook(body, headers, [secret]));
      expect(await Promise.all(verified)).toEqual([first, second]);
      await receiver.close();
    },
  );

  it('creates partners and their credentials', async () => {
    const { partner_id, partner } = (await data('partner', 'create', '--name', 'Till Systems')) as Record<
      string,
      string
    >;
    expect(partner).toBe('till-systems');
    const flags = ['--partner', partner_id!, '--kind', 'test', '--scopes', 'diagnostics:read'];
    const made = (await data('partner', 'credential', ...flags)) as Record<string, string>;
    expect(made.credential).toMatch(/^svc_partner_test_/);
    const listed = await data('partner', 'credentials', '--partner', partner_id!);
    const active = { credential_id: made.credential_id, status: 'active', last_used_at: null };
    expect(listed.items).toEqual([expect.objectContaining(active)]);
    expect(JSON.stringify(listed)).not.toMatch(/hash|svc_partner/);
    const revoked = await data('partner', 'credential', 'revoke', made.credential_id!);
    expect(revoked).toMatchObject({ status: 'revoked' });
    const { items } = await data('partner', 'list');
    expect(items).toEqual([expect.objectContaining({ partner_id })]);
  });

  describe('printing a file', () => {
    const labels = {
      ...onePrinter,
      name: 'LABELS',
      capabilities: {
        ...onePrinter.capabilities,
        ...{
          papers: ['custom_min_10x10mm', 'custom_max_110x999mm'],
          options: ['paper', 'duplex', 'scale', 'color'],
        },
      },
    };
    const PDF = Buffer.from('%PDF-1.7\n');
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rps-files-'));
    });
    afterAll(() => rm(folder, { recursive: true }));

    const file = async (name: string, bytes: Uint8Array) => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return path;
    };
    const open = async () => {
      const accountId = await openAccount();
      const ready = await TestAgent.ready(service, accountId, [labels], ['options/1']);
      const listed = (await data('computer', 'show', ready.agent.computerId)).printers as {
        printer_code: string;
      }[];
      return { accountId, ...ready, code: listed[0]!.printer_code };
    };
    const create = (printer: string, ...words: string[]) =>
      data('job', 'create', '--printer', printer, ...words);

    it('creates a job with options for a printer by id, code or name', async () => {
      const { accountId, printerId, code } = await open();
      const flags = ['--paper', '100x150mm', '--duplex', 'one-sided', '--scale', 'actual', '--color', 'off'];
      const path = await file('label.pdf', PDF);
      for (const printer of [printerId, code.toLowerCase()]) {
        const made = await create(printer, ...flags, '--copies', '2', path);
        expect(made).toEqual({ job_id: expect.any(String), status: 'queued' });
        expect(await data('job', 'show', String(made.job_id))).toMatchObject({
          ...{
            account_id: accountId,
            printer_id: printerId,
            source: 'operator',
            content_type: 'pdf',
            copies: 2,
          },
          title: 'label.pdf',
          options: {
            paper: { width_mm: 100, height_mm: 150 },
            duplex: 'one-sided',
            scale: 'actual',
            color: false,
          },
        });
      }
      const named = await create('LABELS', '--account', accountId, '--title', 'Label', path);
      const shown = await data('job', 'show', String(named.job_id));
      expect([shown.printer_id, shown.title, shown.options]).toEqual([printerId, 'Label', undefined]);
    });

    it('prints several files in their order', async () => {
      const { printerId } = await open();
      const paths = await Promise.all(['b.pdf', 'a.pdf'].map((name) => file(name, PDF)));
      const { items } = (await create(printerId, ...paths)) as { items: { job_id: string }[] };
      const titles = await Promise.all(
        items.map(async ({ job_id }) => (await data('job', 'show', job_id)).title),
      );
      expect(titles).toEqual(['b.pdf', 'a.pdf']);
      const refused = await run('job', 'create', '--printer', printerId, '--idempotency-key', 'k', ...paths);
      expect([refused.code, refused.err]).toEqual([64, expect.stringContaining('is for one file')]);
    });

    it('sends text as text, and other bytes as they are', async () => {
      const { printerId } = await open();
      const typeOf = async (path: string) =>
        (await data('job', 'show', String((await create(printerId, path)).job_id))).content_type;
      expect(await typeOf(await file('receipt.txt', Buffer.from('Grüße')))).toBe('text');
      expect(await typeOf(await file('latin1.txt', Buffer.from([0x47, 0xfc])))).toBe('raw');
      expect(await typeOf(await file('label.zpl', Buffer.from('^XA^XZ')))).toBe('raw');
      expect(await typeOf(await file('named.txt', PDF))).toBe('pdf');
    });

    it('prints once for each idempotency key', async () => {
      const { printerId } = await open();
      const path = await file('once.pdf', PDF);
      const first = await create(printerId, '--idempotency-key', 'label-4711', path);
      expect(await create(printerId, '--idempotency-key', 'label-4711', path)).toEqual(first);
      const other = await run(
        'job',
        'create',
        '--printer',
        printerId,
        '--idempotency-key',
        'label-4711',
        '--copies',
        '2',
        path,
      );
      expect([other.code, other.err]).toEqual([1, expect.stringContaining('SVC_IDEMPOTENCY_CONFLICT (409)')]);
    });

    it('shows the receipt once the spooler has the document', async () => {
      const { agent, printerId } = await open();
      const waiting = data('job', 'create', '--printer', printerId, '--wait', await file('wait.pdf', PDF));
      const lease = await eventually('a lease', async () => (await agent.lease(1))[0]);
      await agent.accept(lease);
      await agent.handoff(lease);
      await agent.report(lease, 'spooled', { applied: { page_count: 1 } });
      const receipt = { applied: { page_count: 1 }, ignored: [] };
      expect(await waiting).toEqual({ job_id: lease.job_id, status: 'sent_to_spooler', receipt });
      const shown = await data('job', 'show', lease.job_id);
      expect(shown.receipt).toEqual(receipt);
    });

    it('fails with the reason if the job ends before', async () => {
      const { agent, printerId } = await open();
      const path = await file('refused.pdf', PDF);
      const waiting = run('job', 'create', '--printer', printerId, '--wait', path);
      const lease = await eventually('a lease', async () => (await agent.lease(1))[0]);
      await agent.accept(lease);
      await agent.report(lease, 'rejected', {
        failure_code: 'OPTION_NOT_SUPPORTED',
        message: 'no such tray',
      });
      expect(await waiting).toMatchObject({
        code: 1,
        err: expect.stringContaining(`job ${lease.job_id} is failed: OPTION_NOT_SUPPORTED, no such tray`),
      });
    });

    it('names what to do about an unknown printer, a name of several, a missing file or an option', async () => {
      const { printerId } = await open();
      await open();
      const path = await file('error.pdf', PDF);
      for (const [words, told] of [
        [['--printer', 'NOWHERE', path], 'PRINTER_NOT_FOUND (404)'],
        [['--printer', 'LABELS', path], /printer names \d+ printers: give the id of one, or account_id/],
        [['--printer', printerId, join(folder, 'absent.pdf')], 'cannot be read'],
        [['--printer', printerId, '--paper', 'A3', path], 'options.paper only as custom_min_10x10mm'],
      ] as const) {
        const { code, err } = await run('job', 'create', ...words);
        expect([code, err]).toEqual([
          1,
          typeof told === 'string' ? expect.stringContaining(told) : expect.stringMatching(told),
        ]);
      }
    });

    it('is in the audit of the account', async () => {
      const { accountId, printerId } = await open();
      const { job_id } = await create(printerId, await file('audited.pdf', PDF));
      const events = await service.operate('GET', `/streams/job-${String(job_id)}`);
      const [created] = events.items as { type: string; metadata: object }[];
      expect(created).toMatchObject({
        type: 'JobCreated',
        metadata: { accountId, actor: { kind: 'operator' } },
      });
    });
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
