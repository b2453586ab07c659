import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, type Tab } from '../../kit/chromium.js';
import { invite } from '../../kit/panel.js';
import { openByLink } from '../../kit/panel-tab.js';
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

  const opened = (link: string, heading: string) => openByLink(browser, service.url, link, heading);
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
