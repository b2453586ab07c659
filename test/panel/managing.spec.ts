import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import type { Browser } from 'playwright-core';
import { NoteAccess } from '../../src/contexts/members/index.js';
import { describeInBrowser, launchChromium, openTab, type Tab } from '../kit/chromium.js';
import { WebhookReceiver } from '../kit/webhook-receiver.js';
import { TestAgent } from '../kit/world.js';
import { eventually, WebhookClerk } from '../surface/webhook-asking.js';
import { PanelScene } from './panel-scene.js';

const NOON = '2026-11-21T12:00:00.000Z';

describeInBrowser('managing an account in the panel', () => {
  let scene: PanelScene;
  let browser: Browser;
  let tab: Tab;
  let receiver: WebhookReceiver;
  let packages: string;
  beforeAll(async () => {
    packages = await mkdtemp(join(tmpdir(), 'packages-'));
    for (const name of ['rps-agent.msi', 'rps-agent.deb'])
      await writeFile(join(packages, name), 'an installer');
    [scene, browser, receiver] = await Promise.all([
      PanelScene.start({ AGENT_PACKAGES: packages }),
      launchChromium(),
      WebhookReceiver.start(),
    ]);
    tab = await scene.signedIn(browser, 'bea', 'owner');
  });
  afterAll(async () => {
    expect(tab.trouble).toEqual([]);
    await browser.close();
    await scene.close();
    await receiver.close();
    await rm(packages, { recursive: true });
  });

  const text = () => tab.page.evaluate('document.documentElement.outerHTML') as Promise<string>;
  const button = (name: string | RegExp) => tab.page.getByRole('button', { name });
  const item = (name: string) => tab.page.getByRole('menuitem', { name });
  const dialog = () => tab.page.getByRole('dialog');

  it('creates a key that is shown once, shows its use, and revokes it', async () => {
    await tab.go('/keys', 'Keys');
    await button('Create a key').click();
    await dialog().getByLabel('Name').fill('Till 7');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    const secret = await dialog().locator('pre').innerText();
    await tab.page.keyboard.press('Escape');
    expect(await dialog().isVisible()).toBe(true);
    await button('I have stored it').click();
    const use = () => scene.service.call('GET', '/svc-api-printers', { as: secret });
    expect((await use()).status).toBe(200);
    expect(await text()).not.toContain(secret);
    await tab.page.reload();
    const row = tab.page.getByRole('row').filter({ hasText: 'Till 7' });
    await row.getByText('ago').first().waitFor();
    expect(await row.innerText()).not.toContain('never\tnever');
    expect(await text()).not.toContain(secret);
    await row.getByRole('button', { name: 'Revoke…' }).click();
    await dialog().getByRole('button', { name: 'Revoke', exact: true }).click();
    await row.getByText('revoked').waitFor();
    expect((await use()).status).toBe(401);
  });

  it('connects a computer with the shown command', async () => {
    await tab.go('/devices', 'Devices');
    await button('Connect a computer').click();
    await dialog().getByText('Waiting for the computer…').waitFor();
    const command = await dialog().locator('pre').last().innerText();
    const [, token, url] = /SVC_ENROLLMENT_TOKEN=(\S+) npm run agent -- --url (\S+)/.exec(command)!;
    expect(url).toBe(scene.service.url);
    const json = { enrollment_token: token, installation_id: crypto.randomUUID(), hostname: 'KITCHEN' };
    await scene.service.call('POST', '/managed/enroll', { json });
    scene.tell();
    await dialog().getByText('KITCHEN is connected.').waitFor();
    await button('Done').click();
  });

  it('offers a download and a command with address and token for each system', async () => {
    await tab.go('/devices', 'Devices');
    await button('Connect a computer').click();
    await dialog().getByText('Waiting for the computer…').waitFor();
    const { origin } = new URL(scene.service.url);
    const commands = await dialog().locator('pre').allInnerTexts();
    const [, token] = / TOKEN=(\S+)$/.exec(commands[0]!)!;
    const url = scene.service.url;
    expect(commands.slice(0, 2)).toEqual([
      `msiexec /i ${origin}/panel/agent/rps-agent.msi /passive URL=${url} TOKEN=${token}`,
      `curl -fsSO ${origin}/panel/agent/rps-agent.deb && sudo apt-get install -y ./rps-agent.deb && ` +
        `echo ${token} | sudo rps-agent connect ${url}`,
    ]);
    const started = tab.page.waitForEvent('download');
    await dialog().getByRole('link', { name: 'rps-agent.msi' }).click();
    expect(await readFile(await (await started).path(), 'utf8')).toBe('an installer');
    await button('Close').click();
  });

  it('renames and disables a printer', async () => {
    await tab.go('/devices', 'Devices');
    const row = tab.page.getByRole('row').filter({ hasText: 'Till 1' });
    await row.getByRole('button', { name: 'Actions for Till 1' }).click();
    await item('Rename…').click();
    await dialog().getByLabel('Name').fill('Counter');
    await dialog().getByRole('button', { name: 'Rename', exact: true }).click();
    const renamed = tab.page.getByRole('row').filter({ hasText: 'Counter' });
    await renamed.getByRole('button', { name: 'Actions for Counter' }).click();
    await item('Disable').click();
    await renamed.getByText('disabled').waitFor();
    await renamed.getByRole('button', { name: 'Actions for Counter' }).click();
    await item('Enable').click();
    await renamed.getByText('online').waitFor();
  });

  it('offers to create the first webhook in one box, and names the browsers of sessions', async () => {
    await tab.go('/webhooks', 'Webhooks');
    await tab.page.getByText('No webhook yet').waitFor();
    await tab.page.waitForLoadState('networkidle');
    expect(await tab.page.getByRole('heading', { level: 2 }).count()).toBe(0);
    await tab.go('/account/sign-in', /^Account/);
    await tab.page.getByRole('cell', { name: /^\w+ on Linux$/ }).waitFor();
  });

  it("shows a failing receiver's answer as text, and sends again manually", async () => {
    const clerk = new WebhookClerk(scene.service, scene.jobs.key);
    await clerk.open(`http://127.0.0.1:${receiver.port}/markup/x`, { event_types: ['job.created'] });
    const jobId = await scene.jobs.create({ title: 'Hooked' });
    await scene.jobs.lease('completed');
    await eventually(
      async () => (await clerk.list()).deliveries,
      (all) => all.some(({ status }) => status === 'retry_scheduled'),
    );
    await tab.go(`/jobs/${jobId}`, 'Job Hooked');
    await tab.page.getByRole('link', { name: 'job.created' }).click();
    await tab.page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await button('Send again').click();
    await tab.page.getByText('by hand, by bea').waitFor();
  });

  it('finds the deliveries of a job by its title, and says why they failed', async () => {
    await tab.go('/webhooks', 'Webhooks');
    await tab.page.getByLabel('Job, or any id').fill('hook');
    await tab.page.keyboard.press('Enter');
    const row = tab.page.getByRole('row').filter({ hasText: 'Hooked' });
    await row.getByText('answered').waitFor();
    await tab.page.getByLabel('Status').selectOption('cancelled');
    await tab.page.getByText('No delivery fits these filters.').waitFor();
  });

  it('creates a webhook with the events that end a job, unless others are chosen', async () => {
    await tab.go('/webhooks', 'Webhooks');
    await button('Create a webhook').click();
    const preset = (name: string) => dialog().getByRole('button', { name });
    expect(await preset('How jobs end').getAttribute('aria-pressed')).toBe('true');
    await dialog().getByText('Each step of a job').click();
    await dialog().getByLabel('job.created').check();
    await dialog().getByText('a choice of your own').waitFor();
    await preset('Computers and printers').click();
    await dialog().getByText('6 of 6').last().click();
    expect(await dialog().getByLabel('job.failed').isChecked()).toBe(false);
    expect(await dialog().getByLabel('printer.offline').isChecked()).toBe(true);
    await button('Cancel').click();
  });

  it('shows that a key has expired while the page is idle', async () => {
    const opened = await openTab(browser, scene.service.url);
    await opened.page.clock.install();
    const idle = await scene.signedIn(browser, 'ida', 'owner', opened);
    await idle.go('/keys', 'Keys');
    await idle.page.getByRole('button', { name: 'Create a key' }).click();
    await idle.page.getByLabel('Name').fill('Till 8');
    await idle.page.getByLabel('Expires in days').fill('1');
    await idle.page.getByRole('button', { name: 'Create', exact: true }).click();
    await idle.page.getByRole('button', { name: 'I have stored it' }).click();
    const row = idle.page.getByRole('row').filter({ hasText: 'Till 8' });
    await row.getByText('active').waitFor();
    await idle.page.clock.fastForward('48:00:00');
    await row.getByText('expired').waitFor();
    expect(idle.trouble).toEqual([]);
    await idle.context.close();
  });

  it('shows the audit in sentences, with the codes behind them', async () => {
    await tab.go('/account/audit', /^Account/);
    const row = tab.page.getByRole('row').filter({ hasText: 'bea revoked the key Till 7' });
    await row.getByRole('button', { name: 'Detail' }).click();
    await tab.page.getByText('ApiKeyRevoked').waitFor();
  });

  it('shows failed sign-ins of a minute in one row, with their addresses behind it', async () => {
    const { service, jobs } = scene;
    const later = '2026-11-21T12:00:09.000Z';
    const sources = [
      { by: 'password', address: '192.0.2.1', count: 3, firstAt: NOON, lastAt: later },
      { by: 'password', address: '192.0.2.2', count: 1, firstAt: NOON, lastAt: NOON },
    ] as const;
    const noted = { type: 'SignInsFailed', data: { sources, count: 4 } } as const;
    const by = { actor: { kind: 'process', id: 'sign-in' }, correlationId: 'correlation-1' } as const;
    const note = new NoteAccess({ accountId: jobs.accountId, noted, at: service.clock.now(), by });
    await service.service.app.get(CommandBus, { strict: false }).execute(note);
    await tab.go('/account/audit', /^Account/);
    await tab.page.reload();
    const row = tab.page
      .getByRole('row')
      .filter({ hasText: 'failed to sign in' })
      .filter({ hasText: '4 times' });
    await row.getByRole('button', { name: 'Detail' }).click();
    const facts = tab.page.locator('dl').filter({ hasText: 'SignInsFailed' });
    expect(await facts.locator('dt').allInnerTexts()).toEqual(
      expect.arrayContaining(['192.0.2.1', '192.0.2.2']),
    );
    const shown = await facts.innerText();
    for (const part of ['3 by password, ', ' to ', '1 by password, ']) expect(shown).toContain(part);
  });

  it('reports a receiver that answered 410 on the overview, and what its delivery waits for', async () => {
    const clerk = new WebhookClerk(scene.service, scene.jobs.key);
    const url = `http://127.0.0.1:${receiver.port}/gone/x`;
    const { webhookId } = await clerk.open(url, { event_types: ['job.created'] });
    await scene.jobs.create();
    await eventually(
      async () => (await clerk.list()).webhooks,
      (all) => all.some(({ status }) => status === 'paused'),
    );
    scene.service.clock.advance(5_000);
    await tab.go('/', 'Overview');
    await tab.page.reload();
    await tab.page.getByRole('link', { name: '1 webhook is paused' }).waitFor();
    await tab.go(`/webhooks/${webhookId}`, /^Webhook/);
    const row = tab.page.getByRole('row').filter({ hasText: 'job.created' });
    await row.getByText('once it is active').waitFor();
    await row.getByRole('link', { name: 'job.created' }).click();
    await tab.page
      .getByText('It is tried again once its webhook is active. The last attempt: answered 410.')
      .waitFor();
  });

  /** A webhook that was paused on its page; the jobs before it are older than what a recovery delivers. */
  async function pausedWebhook(name: string) {
    const clerk = new WebhookClerk(scene.service, scene.jobs.key);
    // A recovery begins ten seconds before the pause.
    scene.service.clock.advance(11_000);
    const url = `http://127.0.0.1:${receiver.port}/ok/${name}`;
    const { webhookId } = await clerk.open(url, { event_types: ['job.created'] });
    await tab.go(`/webhooks/${webhookId}`, /^Webhook/);
    await button('Pause').click();
    await button('Resume…').waitFor();
    return { clerk, webhookId };
  }

  it('resumes a webhook and delivers what it missed, with the number in front', async () => {
    const { clerk, webhookId } = await pausedWebhook('paused');
    await scene.jobs.create();
    await scene.jobs.create();
    await button('Resume…').click();
    await dialog().getByText('2 events to deliver.').waitFor();
    await button('Resume and deliver what was missed').click();
    await eventually(
      async () => (await clerk.list()).webhooks.find(({ webhook_id }) => webhook_id === webhookId)?.recovery,
      (recovery) => recovery?.status === 'finished',
    );
    await eventually(
      () => receiver.requests.filter(({ path }) => path === '/ok/paused').length,
      (count) => count === 2,
    );
    scene.tell();
    await tab.page.getByText('2 events from').waitFor();
    await button('Pause').waitFor();
  });

  it('delivers also what happens after it counted nothing, before a webhook is resumed', async () => {
    await pausedWebhook('since');
    await button('Resume…').click();
    await dialog().getByText('Nothing to deliver.').waitFor();
    await scene.jobs.create();
    await dialog().getByRole('button', { name: 'Resume', exact: true }).click();
    await eventually(
      () => receiver.requests.filter(({ path }) => path === '/ok/since').length,
      (count) => count === 1,
    );
  });

  it('counts once before a webhook is resumed, and later while another count goes on', async () => {
    await pausedWebhook('counted');
    await scene.jobs.create();
    const isCount = (address: string | URL) => String(address).endsWith('/svc-recover-webhook');
    let counts = 0;
    tab.page.on('request', (request) => void (counts += Number(isCount(request.url()))));
    const running = { status: 409, json: { code: 'SVC_RECOVERY_RUNNING', message: 'Wait for it.' } };
    await tab.page.route(isCount, (route) => route.fulfill(running), { times: 1 });
    await button('Resume…').click();
    await dialog().getByText('1 event to deliver.').waitFor();
    await button('Resume only').click();
    await dialog().waitFor({ state: 'detached' });
    expect(counts).toBe(2);
  });

  it('offers to recover a pause that began during a recovery', async () => {
    const clerk = new WebhookClerk(scene.service, scene.jobs.key);
    const url = `http://127.0.0.1:${receiver.port}/ok/twice`;
    const { webhookId } = await clerk.open(url, { event_types: ['job.created'] });
    await tab.page.route(/svc-list-webhooks$/, async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as { data: { webhooks: { recovery?: object }[] } };
      for (const webhook of json.data.webhooks)
        webhook.recovery = { status: 'running', since: NOON, until: NOON, recovered: 0 };
      await route.fulfill({ json });
    });
    await tab.go(`/webhooks/${webhookId}`, /^Webhook/);
    await button('Pause').click();
    await button('Resume…').click();
    const pausedAt = Date.parse((await dialog().locator('time').getAttribute('datetime'))!);
    await dialog().getByText('may not be in it').waitFor();
    await tab.page.unroute(/svc-list-webhooks$/);
    await dialog().getByRole('button', { name: 'Resume', exact: true }).click();
    await button('Recover…').click();
    const since = new Date(await dialog().getByLabel('Since').inputValue()).getTime();
    expect(pausedAt - since).toBeGreaterThanOrEqual(10_000);
    expect(pausedAt - since).toBeLessThan(70_000);
    await button('Cancel').click();
  });

  it('recovers events by the keyboard, after their exact number is shown, and in order if told so', async () => {
    const clerk = new WebhookClerk(scene.service, scene.jobs.key);
    const url = `http://127.0.0.1:${receiver.port}/ok/later`;
    const { webhookId } = await clerk.open(url, { event_types: ['job.created', 'job.queued'] });
    await tab.go(`/webhooks/${webhookId}`, /^Webhook/);
    await button('Change…').press('Enter');
    await dialog().getByLabel('One event of a job or computer at a time').press('Space');
    await dialog().getByRole('button', { name: 'Save' }).press('Enter');
    await dialog().waitFor({ state: 'hidden' });
    await tab.page.getByText('one event of a job or computer at a time').waitFor();
    await button('Recover…').press('Enter');
    await dialog().getByLabel('Since').fill('2026-01-01T00:00');
    await dialog().getByLabel('Since').press('Enter');
    await dialog()
      .getByText(/^\d+ events to deliver\.$/)
      .waitFor();
    await dialog().getByText('All its event types').press('Enter');
    await dialog().getByLabel('job.queued').press('Space');
    await dialog().getByText('Not counted yet.').waitFor();
    expect(await dialog().getByRole('button', { name: 'Deliver' }).isDisabled()).toBe(true);
    await button('Count').press('Enter');
    const shown = dialog().getByText(/^\d+ events to deliver\.$/);
    const count = parseInt(await shown.innerText());
    const asked = { webhook_id: webhookId, since: '2026-01-02T00:00:00Z', event_types: ['job.created'] };
    const { body } = await clerk.ask('recover-webhook', { ...asked, dry_run: true });
    expect(count).toBe(body.data!.events);
    expect(await tab.page.locator(':focus').innerText()).toBe('Count');
    await button(`Deliver ${count} events`).press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await eventually(
      () => receiver.requests.filter(({ path }) => path === '/ok/later').length,
      (received) => received === count,
    );
  });

  it('disables controls without the right, and names the required role', async () => {
    const viewer = await scene.signedIn(browser, 'vic', 'viewer');
    await viewer.go('/devices', 'Devices');
    const connect = viewer.page.getByRole('button', { name: 'Connect a computer' });
    expect(await connect.isDisabled()).toBe(true);
    const reason = viewer.page.locator(`[id="${await connect.getAttribute('aria-describedby')}"]`);
    expect(await reason.innerText()).toBe('needs the role developer');
    const clerk = new WebhookClerk(scene.service, scene.jobs.key);
    const { webhook_id } = (await clerk.list()).webhooks.find(({ status }) => status === 'active')!;
    await viewer.go(`/webhooks/${webhook_id}`, /^Webhook/);
    expect(await viewer.page.getByRole('button', { name: 'Recover…' }).isDisabled()).toBe(true);
    await viewer.go('/keys', 'Keys');
    await viewer.page.getByText('needs the role developer').waitFor();
    expect(viewer.trouble).toEqual([]);
    await viewer.context.close();
  });

  it('invites a member with a link that is shown once', async () => {
    await tab.go('/account', /^Account/);
    await button('Invite a member…').click();
    await dialog().getByLabel('Name').fill('max');
    await dialog().getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await dialog().locator('pre').innerText();
    expect(link).toContain('#/enter/svc_link_live_');
    await button('I have stored it').click();
    expect(await text()).not.toContain(link);
    await tab.page.getByText('max@demo-bakery').waitFor();
  });

  it('shows an agent that comes and goes', async () => {
    await tab.go('/devices', 'Devices');
    const agent = await TestAgent.enrol(scene.service, scene.accountId);
    await agent.start();
    scene.tell();
    await tab.page.getByRole('heading', { name: 'FRONT-DESK' }).nth(1).waitFor();
  });
});
