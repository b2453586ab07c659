import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab, type TabOptions } from '../../kit/chromium.js';
import { invite } from '../../kit/panel.js';
import { openByLink } from '../../kit/panel-tab.js';
import { ServiceProcess } from '../../kit/service-process.js';
import { createJob, onePrinter, openAccount, TestAgent } from '../../kit/world.js';
import { INSECURE } from '../../surface/webhook-asking.js';

type Who = 'member' | 'operator' | 'nobody';

/** A form of the panel, and how to type something in it. */
interface Form {
  /** Its file in `panel/`. */
  readonly of: string;
  readonly who?: Who;
  readonly address: string;
  readonly field: (page: Page) => Promise<Locator>;
  /** Typed in its field, or chosen. */
  readonly text: string;
}

/** The ids that addresses of forms need. */
interface Ids {
  readonly parked: string;
  readonly printer: string;
  readonly webhook: string;
  readonly partner: string;
}

const onPage = (label: string | RegExp) => (page: Page) => Promise.resolve(page.getByLabel(label));

/** Presses the buttons or entries of menus in turn; then the field is in a dialog. */
const inDialog =
  (label: string | RegExp, ...names: readonly string[]) =>
  async (page: Page) => {
    for (const name of names) {
      const control = page.getByRole('button', { name }).or(page.getByRole('menuitem', { name }));
      await control.first().click();
    }
    return page.getByRole('dialog').getByLabel(label).first();
  };

const formsOf = ({ parked, printer, webhook, partner }: Ids): readonly Form[] => [
  { of: 'jobs/filter-bar.tsx', address: '/jobs', field: onPage('Find'), text: 'Order' },
  { of: 'jobs/job-actions.tsx', address: '/jobs', field: reasonForSeveral, text: 'jam' },
  {
    ...{ of: 'job/print-again.tsx', address: `/jobs/${parked}`, text: 'jam' },
    field: inDialog('Reason', 'Print again…'),
  },
  {
    ...{ of: 'job/reprint.tsx', address: `/jobs/${parked}`, text: 'Till 2 on FRONT-DESK' },
    field: inDialog('Printer', 'Reprint as a new job…'),
  },
  {
    ...{ of: 'printer/queue-dialogs.tsx', address: `/devices/printers/${printer}` },
    ...{ text: 'Till 2 on FRONT-DESK', field: inDialog('To', 'Move…') },
  },
  { of: 'app/go-to.tsx', address: '/jobs', field: inDialog(/^A page, or/, 'Go to…'), text: 'Order' },
  { of: 'send/send-page.tsx', address: '/send', field: titleOfFile, text: 'Menu of Monday' },
  {
    ...{ of: 'devices/rename-computer.tsx', address: '/devices', text: 'KITCHEN' },
    field: inDialog('Name', 'Actions for FRONT-DESK', 'Rename…'),
  },
  {
    ...{ of: 'devices/printer-table.tsx', address: '/devices', text: 'Bar' },
    field: inDialog('Name', 'Actions for Till 1', 'Rename…'),
  },
  {
    ...{ of: 'devices/text-settings.tsx', address: '/devices', text: 'cp850' },
    field: inDialog('Encoding', 'Actions for Till 1', 'Text…'),
  },
  { of: 'keys/keys-page.tsx', address: '/keys', field: inDialog('Name', 'Create a key'), text: 'Till 7' },
  {
    ...{ of: 'webhooks/webhook-form.tsx', address: '/webhooks', text: 'https://a.example' },
    field: inDialog(/^Address/, 'Create a webhook'),
  },
  { of: 'webhooks/deliveries.tsx', address: '/webhooks', field: onPage(/^Job, or/), text: 'Order' },
  {
    ...{ of: 'webhooks/recovery.tsx', address: `/webhooks/${webhook}`, text: '2026-01-02T03:04' },
    field: inDialog(/^Until/, 'Recover…'),
  },
  {
    ...{ of: 'account/members.tsx', address: '/account', text: 'kim' },
    field: inDialog(/^Name/, 'Invite a member'),
  },
  { of: 'alerts/alert-form.tsx', address: '/account/alerts', field: newChat, text: 'https://chat.example/x' },
  {
    ...{ of: 'sign-in/password-form.tsx', address: '/account/sign-in', text: 'an umbrella in the rain' },
    field: onPage('New password'),
  },
  { of: 'sign-in/sign-in-page.tsx', who: 'nobody', address: '/', field: signingIn, text: 'bea@demo-bakery' },
  {
    of: 'service/find-page.tsx',
    who: 'operator',
    address: '/find',
    field: onPage(/^Job, comp/),
    text: 'demo',
  },
  {
    of: 'stream/stream-page.tsx',
    who: 'operator',
    address: '/stream',
    field: onPage(/^Name/),
    text: 'job-1',
  },
  {
    ...{ of: 'accounts/open-account.tsx', who: 'operator', address: '/accounts', text: 'Cafe' },
    field: inDialog('Name', 'Open an account'),
  },
  ...(
    [
      ['Jobs a month', 'Plan…', '500'],
      ['Name', 'Invite…', 'kim'],
      ['Type demo-bakery', 'Close…', 'demo-'],
    ] as const
  ).map(([label, entry, text]) => ({
    ...({ of: 'accounts/account-actions.tsx', who: 'operator', address: '/accounts', text } as const),
    field: inDialog(label, 'Actions for demo-bakery', entry),
  })),
  {
    ...{ of: 'partners/partners-page.tsx', who: 'operator', address: '/partners', text: 'Tills' },
    field: inDialog('Name', 'Create a partner'),
  },
  {
    ...{ of: 'partners/partner-page.tsx', who: 'operator', address: `/partners/${partner}`, text: 'test' },
    field: inDialog('Kind', 'Create a credential'),
  },
];

async function reasonForSeveral(page: Page): Promise<Locator> {
  await page.getByLabel('Choose Invoice').check();
  return inDialog('Reason', 'Print again…')(page);
}

async function titleOfFile(page: Page): Promise<Locator> {
  const file = { name: 'menu.txt', mimeType: 'text/plain', buffer: Buffer.from('Soup') };
  await page.getByLabel('File').setInputFiles(file);
  await page.getByText('What is in menu.txt?').waitFor();
  return page.getByLabel('Title');
}

async function newChat(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add Slack' }).click();
  return page.getByLabel('URL of the incoming webhook');
}

async function signingIn(page: Page): Promise<Locator> {
  await page.getByLabel('Password').fill('an umbrella in the rain');
  return page.getByLabel('Name');
}

/** Files of the panel that have a form. */
const withForms = () =>
  readdirSync('panel', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && readFileSync(join('panel', file), 'utf8').includes('<form'))
    .map((file) => relative('.', file).replaceAll('\\', '/'));

const READS = /\/v1\/(?!.*(session|feed)$)/;
/** Forms on pages that read nothing before they are sent. */
const ONLY_SESSION = new Set(['sign-in/sign-in-page.tsx', 'service/find-page.tsx', 'stream/stream-page.tsx']);

/** So many tabs lose the service together. */
const TOGETHER = 9;

describeInBrowser('typing while the service is away', () => {
  let service: ServiceProcess;
  let browser: Browser;
  let forms: readonly Form[];
  const sessions = new Map<Who, NonNullable<TabOptions['session']>>();
  beforeAll(async () => {
    [service, browser] = await Promise.all([ServiceProcess.prepare(), launchChromium()]);
    await service.start(INSECURE);
    const { accountId, key } = await openAccount(service, { name: 'Demo bakery', slug: 'demo-bakery' });
    const { agent, printerId: printer } = await TestAgent.ready(service, accountId, [
      onePrinter,
      { ...onePrinter, printer_key: 'till-2', name: 'Till 2', is_default: false },
    ]);
    await createJob(service, key, printer, { title: 'Invoice' });
    const [lease] = await agent.lease(1);
    await agent.accept(lease!);
    await agent.handoff(lease!);
    await agent.report(lease!, 'spooled', { spooler_provider: 'virtual', spooler_job_id: '7' });
    await agent.report(lease!, 'spooler_vanished');
    await createJob(service, key, printer, { title: 'Order 1211' });
    const json = { url: 'http://127.0.0.1:9/hook', event_types: ['job.created'] };
    const created = await service.call('POST', '/svc-create-webhook', { as: key, json });
    const partner = await service.operate('POST', '/partners', { name: 'Till Systems' });
    forms = formsOf({
      ...{ parked: lease!.job_id, printer, partner: String(partner.partner_id) },
      webhook: (created.body.data!.webhook as { webhook_id: string }).webhook_id,
    });
    const links = [
      ['member', (await invite(service, accountId, 'bea', 'owner')).url, 'Overview'],
      ['operator', String((await service.operate('POST', '/panel-links', { name: 'olga' })).url), 'Service'],
    ] as const;
    for (const [who, link, heading] of links) {
      const { context } = await openByLink(browser, service.url, link, heading);
      sessions.set(who, await context.storageState());
      await context.close();
    }
  });
  afterAll(async () => {
    await browser.close();
    await service.remove();
  });

  async function type({ who = 'member', address, field: fieldOf, text }: Form) {
    const session = sessions.get(who);
    const { page } = await openTab(browser, service.url, session && { session });
    await page.goto(`${new URL(service.url).origin}/panel/#${address}`);
    const field = await fieldOf(page);
    const before = await field.inputValue();
    const isChosen = (await field.locator('option').count()) > 0;
    await (isChosen ? field.selectOption(text) : field.fill(text));
    const typed = await field.inputValue();
    expect(typed).not.toBe(before);
    return { page, field, typed };
  }

  async function keepsAll(some: readonly Form[]): Promise<void> {
    const opened = [];
    for (const form of some) opened.push({ ...form, ...(await type(form)) });
    const banners = opened.map(({ page }) => page.getByText('The service has not answered since'));
    await service.end('SIGKILL');
    // Without a session nothing asks until the form is sent.
    for (const { who, page } of opened)
      if (who === 'nobody') await page.getByRole('button', { name: 'Sign in' }).click();
    await Promise.all(banners.map((banner) => banner.waitFor()));
    // What is shown is read again before it is compared.
    const readAgain = opened.map(({ of, page }) =>
      page.waitForResponse((answer) => answer.ok() && (ONLY_SESSION.has(of) || READS.test(answer.url()))),
    );
    await service.start({ ...INSECURE, PORT: new URL(service.url).port });
    await Promise.all([...readAgain, ...banners.map((banner) => banner.waitFor({ state: 'detached' }))]);
    const kept = await Promise.all(opened.map(async ({ of, field }) => [of, await field.inputValue()]));
    expect(kept).toEqual(opened.map(({ of, typed }) => [of, typed]));
    for (const { of, page } of opened) {
      if (of === 'send/send-page.tsx')
        expect(await page.getByLabel('File').inputValue()).toContain('menu.txt');
      if (of === 'sign-in/sign-in-page.tsx')
        expect(await page.getByLabel('Password').inputValue()).not.toBe('');
      await page.context().close();
    }
  }

  it('is tried in every file with a form', () => {
    expect([...new Set(forms.map(({ of }) => of))].sort()).toEqual(withForms().sort());
  });

  it.each([0, 1, 2])('loses nothing in the forms of part %i', async (part) => {
    await keepsAll(forms.slice(part * TOGETHER, (part + 1) * TOGETHER));
    expect(forms.length).toBeLessThanOrEqual(3 * TOGETHER);
  });
});
