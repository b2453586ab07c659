import type { Browser, BrowserContext } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab } from '../kit/chromium.js';
import { WebhookReceiver } from '../kit/webhook-receiver.js';
import { eventually, WebhookClerk } from '../surface/webhook-asking.js';
import { findingsOf, showAt } from './findings.js';
import { PanelScene } from './panel-scene.js';

const SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;
const MAX_SHIFT = 0.02;
describeInBrowser('the pages of the panel', () => {
  let scene: PanelScene;
  let browser: Browser;
  let receiver: WebhookReceiver;
  let session: Awaited<ReturnType<BrowserContext['storageState']>>;
  let pages: readonly (readonly [address: string, heading: string | RegExp, settled: string])[];
  beforeAll(async () => {
    [scene, browser, receiver] = await Promise.all([
      PanelScene.start(),
      launchChromium(),
      WebhookReceiver.start(),
    ]);
    const { jobs, service } = scene;
    const clerk = new WebhookClerk(service, jobs.key);
    const { webhookId } = await clerk.open(`http://127.0.0.1:${receiver.port}/error/x`, {
      event_types: ['job.created'],
    });
    const { job_id: parked } = await jobs.parked({ title: 'Invoice 88-B' });
    for (let n = 0; n < 5; n++) await jobs.at('completed', { title: `Receipt ${n}` });
    const [delivery] = await eventually(
      async () => (await clerk.list()).deliveries,
      (all) => all.some(({ status }) => status === 'retry_scheduled'),
    );
    const signedIn = await scene.signedIn(browser, 'bea', 'owner');
    session = await signedIn.context.storageState();
    await signedIn.context.close();
    pages = [
      ['/', 'Overview', 'Receipt 0'],
      ['/jobs', 'Jobs', 'Receipt 0'],
      [`/jobs/${parked}`, 'Job Invoice 88-B', 'Stored events'],
      ['/send', 'Send', 'Print a test page'],
      ['/devices', 'Devices', 'Till 1'],
      ['/keys', 'Keys', 'active'],
      ['/webhooks', 'Webhooks', 'answered'],
      [`/webhooks/${webhookId}`, 'Webhook', 'answered'],
      [`/deliveries/${delivery!.delivery_id}`, /^Delivery/, 'by webhook-dispatch'],
      ['/account', /^Account/, 'invited'],
    ];
  });
  afterAll(async () => {
    await browser.close();
    await scene.close();
    await receiver.close();
  });

  it('have no accessibility finding, no broken word, no sideways scroll and no layout shift', async () => {
    const tab = await openTab(browser, scene.service.url, { session });
    await tab.page.addInitScript(SHIFTS);
    const found: string[] = [];
    for (const [address, heading, settled] of pages) {
      await showAt(tab.page, 1280, 'light');
      await tab.page.goto('about:blank');
      await tab.go(address, heading);
      await tab.page.getByText(settled).first().waitFor();
      // Content that arrives after the text of the page may still move it.
      await tab.page.waitForLoadState('networkidle');
      const shifted = (await tab.page.evaluate('window.shifted')) as number;
      if (shifted > MAX_SHIFT) found.push(`${address} moves by ${shifted}`);
      found.push(...(await findingsOf(tab.page)));
    }
    expect(found).toEqual([]);
    expect(tab.trouble).toEqual([]);
    await tab.context.close();
  });

  it('have none for viewers, whose controls are disabled', async () => {
    const tab = await scene.signedIn(browser, 'vic', 'viewer');
    const found: string[] = [];
    for (const [address, heading] of pages) {
      await tab.go(address, heading);
      await tab.page.waitForLoadState('networkidle');
      found.push(...(await findingsOf(tab.page, [390])));
    }
    expect(found).toEqual([]);
    await tab.context.close();
  });

  it('have none for operators', async () => {
    const tab = await openTab(browser, scene.service.url);
    const { url } = await scene.service.operate('POST', '/panel-links', { name: 'olga' });
    await tab.page.goto(scene.addressOf(String(url)));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByText('job-view').waitFor();
    const found = [...(await findingsOf(tab.page))];
    await tab.go('/accounts', 'Accounts');
    await tab.page.getByText('demo-bakery').waitFor();
    found.push(...(await findingsOf(tab.page)));
    await tab.go('/find?q=demo', 'Find');
    await tab.page.getByRole('link', { name: 'Demo bakery' }).waitFor();
    found.push(...(await findingsOf(tab.page)));
    await tab.go(`/stream?name=account-${scene.accountId}`, 'Stream');
    await tab.page.getByText('0 AccountOpened').waitFor();
    found.push(...(await findingsOf(tab.page)));
    expect(found).toEqual([]);
    await tab.context.close();
  });

  it('have none in dialogs, menus and details', async () => {
    const tab = await openTab(browser, scene.service.url, { session });
    const { page } = tab;
    const found: string[] = [];
    const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
    await tab.go(pages[2]![0], pages[2]![1]);
    await button('Print again…').click();
    found.push(...(await findingsOf(page, [320, 1280])));
    await tab.go('/keys', 'Keys');
    await button('Create a key').click();
    found.push(...(await findingsOf(page, [320, 1280])));
    await tab.go('/devices', 'Devices');
    await showAt(page, 800, 'light');
    await button('Detail').click();
    found.push(...(await findingsOf(page, [800])));
    await button('Actions for Till 1').click();
    await page.getByRole('menuitem', { name: 'Rename…' }).waitFor();
    found.push(...(await findingsOf(page, [800])));
    await page.keyboard.press('Escape');
    await button('Menu of bea').click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
    found.push(...(await findingsOf(page, [390])));
    expect(found).toEqual([]);
    expect(tab.trouble).toEqual([]);
    await tab.context.close();
  });

  it('have none before somebody is signed in', async () => {
    const stranger = await openTab(browser, scene.service.url);
    await stranger.go('/', 'Sign in');
    const found = [...(await findingsOf(stranger.page))];
    await stranger.go('/enter/x', 'Sign in with a link');
    found.push(...(await findingsOf(stranger.page)));
    expect(found).toEqual([]);
    await stranger.context.close();
  });
});
