import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab, type Tab } from '../../kit/chromium.js';
import { invite } from '../../kit/panel.js';
import { ServiceProcess } from '../../kit/service-process.js';

/** How soon people see that the service is gone, and that it is back. */
const SOON_MS = 3_000;

describeInBrowser('losing the service with the panel open', () => {
  let service: ServiceProcess;
  let browser: Browser;
  let accountId: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([ServiceProcess.prepare(), launchChromium()]);
    await service.start();
    const account = await service.operate('POST', '/accounts', { name: 'Demo bakery', slug: 'demo-bakery' });
    accountId = String(account.account_id);
  });
  afterAll(async () => {
    await browser.close();
    await service.remove();
  });

  async function opened(link: string, heading: string): Promise<Tab> {
    const tab = await openTab(browser, service.url);
    await tab.page.goto(`${new URL(service.url).origin}/panel/${link.slice(link.indexOf('#'))}`);
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    if (heading === 'Overview') await tab.page.getByRole('link', { name: 'Later' }).click();
    await tab.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    return tab;
  }

  const member = async (name: string) =>
    opened((await invite(service, accountId, name, 'owner')).url, 'Overview');
  const operator = async () =>
    opened(String((await service.operate('POST', '/panel-links', { name: 'olga' })).url), 'Service');

  const lost = ({ page }: Tab) => page.getByText('The service has not answered since');
  const restart = () => service.start({ PORT: new URL(service.url).port });

  /** Milliseconds from now until the banner of each tab is in this state. */
  async function until(state: 'visible' | 'detached', ...tabs: readonly Tab[]): Promise<number> {
    const from = performance.now();
    await Promise.all(tabs.map((tab) => lost(tab).waitFor({ state })));
    return performance.now() - from;
  }

  it('says so within three seconds, keeps what was typed, and recovers by itself', async () => {
    const tabs = [await member('bea'), await operator()] as const;
    const [{ page, go }] = tabs;
    await go('/keys', 'Keys');
    await page.getByText('No key yet').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Till 7');

    await service.end('SIGKILL');
    expect(await until('visible', ...tabs)).toBeLessThan(SOON_MS);
    await page.getByText(/Last answer .* ago/).waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('NO_ANSWER').waitFor();
    await tabs[1].page.getByText('job-view').waitFor();

    await restart();
    expect(await until('detached', ...tabs)).toBeLessThan(SOON_MS);
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Till 7');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row').filter({ hasText: 'Till 7' }).waitFor();
    for (const tab of tabs) await tab.context.close();
  });

  /** A form with something typed in its field. */
  interface Typed {
    readonly page: Tab['page'];
    readonly field: Locator;
    readonly text: string;
  }

  async function typed(
    name: string,
    [address, heading]: readonly [string, string | RegExp],
    openTo: (page: Tab['page']) => Promise<Locator>,
    text: string,
  ): Promise<Typed> {
    const { page, go } = await member(name);
    await go(address, heading);
    const field = await openTo(page);
    await field.fill(text);
    return { page, field, text };
  }

  it('keeps what was typed in the forms of pages and dialogs, and a chosen file', async () => {
    const inDialog = (button: string, label: RegExp) => async (page: Tab['page']) => {
      await page.getByRole('button', { name: button }).first().click();
      return page.getByRole('dialog').getByRole('textbox', { name: label });
    };
    const forms = [
      await typed(
        'f1',
        ['/webhooks', 'Webhooks'],
        inDialog('Create a webhook', /^Address/),
        'https://a.example',
      ),
      await typed('f2', ['/account', /^Account/], inDialog('Invite a member', /^Name/), 'kim'),
      await typed(
        ...(['f3', ['/account/alerts', /^Account/]] as const),
        async (page) => {
          await page.getByRole('button', { name: 'Add Slack' }).click();
          return page.getByLabel('URL of the incoming webhook');
        },
        'https://chat.example/x',
      ),
      await typed(
        ...(['f4', ['/account/sign-in', /^Account/]] as const),
        async (page) => page.getByLabel('New password'),
        'an umbrella in the rain',
      ),
      await typed(
        ...(['f5', ['/send', 'Send']] as const),
        async (page) => {
          const file = { name: 'menu.txt', mimeType: 'text/plain', buffer: Buffer.from('Soup') };
          await page.getByLabel('File').setInputFiles(file);
          await page.getByText('What is in menu.txt?').waitFor();
          return page.getByLabel('Title');
        },
        'Menu of Monday',
      ),
    ];
    const shown = forms.map(({ page }) => page.getByText('The service has not answered since'));
    await service.end('SIGKILL');
    await Promise.all(shown.map((banner) => banner.waitFor()));
    // What is shown is read again before it is compared.
    const readAgain = forms.map(({ page }) =>
      page.waitForResponse((answer) => answer.ok() && /\/v1\/(?!.*(session|feed)$)/.test(answer.url())),
    );
    await restart();
    await Promise.all([...readAgain, ...shown.map((banner) => banner.waitFor({ state: 'detached' }))]);
    for (const { field, text } of forms) expect(await field.inputValue()).toBe(text);
    const { page } = forms.at(-1)!;
    expect(await page.getByText('What is in menu.txt?').count()).toBe(1);
    expect(await page.getByLabel('File').inputValue()).toContain('menu.txt');
    for (const form of forms) await form.page.context().close();
  });

  it('loads and reads by itself a page that was opened meanwhile', async () => {
    const tab = await member('max');
    await service.end('SIGKILL');
    await until('visible', tab);
    await tab.page.getByRole('link', { name: 'Devices' }).first().click();
    await tab.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor({ state: 'hidden' });
    await restart();
    await tab.page.getByText('No computer yet').waitFor();
    expect(await tab.page.getByText('NO_ANSWER').count()).toBe(0);
    await tab.context.close();
  });

  it('offers a reload when the panel was updated meanwhile', async () => {
    const tab = await member('ina');
    await tab.page.route('**/devices-page*', (route) => route.fulfill({ status: 404 }));
    await tab.page.getByRole('link', { name: 'Devices' }).first().click();
    await tab.page.getByText('The panel was updated.').waitFor();
    await tab.page.unroute('**/devices-page*');
    await tab.page.getByRole('button', { name: 'Reload' }).click();
    await tab.page.getByText('No computer yet').waitFor();
    await tab.context.close();
  });

  it('follows changes again after the return', async () => {
    const tab = await member('eve');
    await service.end('SIGKILL');
    await until('visible', tab);
    await restart();
    await until('detached', tab);
    await tab.go('/devices', 'Devices');
    await tab.page.getByText('No computer yet').waitFor();
    const { enrollment_token } = await service.operate('POST', `/accounts/${accountId}/enrollments`, {});
    const json = { enrollment_token, installation_id: crypto.randomUUID(), hostname: 'KITCHEN' };
    await service.call('POST', '/managed/enroll', { json });
    await tab.page.getByText('KITCHEN').first().waitFor();
    await tab.context.close();
  });

  it('says above the form that a session has ended', async () => {
    const { url, memberId } = await invite(service, accountId, 'rob', 'viewer');
    const tab = await opened(url, 'Overview');
    await service.operate('POST', `/members/${memberId}/remove`);
    await tab.go('/devices', 'Sign in');
    await tab.page.getByText('Your session has ended.').waitFor();
    await tab.context.close();
  });

  it('shows no notice after signing out', async () => {
    const tab = await member('tom');
    await tab.page.getByRole('button', { name: 'Menu of tom' }).click();
    await tab.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await tab.page.getByText('Your session has ended.').count()).toBe(0);
    await tab.context.close();
  });
});
