import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab } from '../kit/chromium.js';
import { WebhookReceiver } from '../kit/webhook-receiver.js';
import { eventually, WebhookClerk } from '../surface/webhook-asking.js';
import { PanelScene } from './panel-scene.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const FINDINGS = `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`;

const SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;
const MAX_SHIFT = 0.02;
const HEIGHT = 900;
const IS_WIDER = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Each width and each colour scheme occurs once: findings depend on one of the two. */
const VARIANTS = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;
const NARROWEST = 360;

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

  it('have no accessibility finding, no layout shift, and fit a screen of 360 px', async () => {
    const tab = await openTab(browser, scene.service.url, { session });
    await tab.page.addInitScript(SHIFTS);
    const found: string[] = [];
    for (const [address, heading, settled] of pages) {
      await tab.page.goto('about:blank');
      await tab.go(address, heading);
      await tab.page.getByText(settled).first().waitFor();
      // Content that arrives after the text of the page may still move it.
      await tab.page.waitForLoadState('networkidle');
      const shifted = (await tab.page.evaluate('window.shifted')) as number;
      if (shifted > MAX_SHIFT) found.push(`${address} moves by ${shifted}`);
      await tab.page.evaluate(AXE);
      for (const { width, colorScheme } of VARIANTS) {
        await tab.page.setViewportSize({ width, height: HEIGHT });
        await tab.page.emulateMedia({ colorScheme });
        const findings = (await tab.page.evaluate(FINDINGS)) as string[];
        found.push(...findings.map((one) => `${address} ${width} px ${colorScheme}: ${one}`));
      }
      await tab.page.setViewportSize({ width: NARROWEST, height: HEIGHT });
      if (await tab.page.evaluate(IS_WIDER)) found.push(`${address} scrolls sideways`);
      await tab.page.setViewportSize({ width: 1280, height: HEIGHT });
      await tab.page.emulateMedia({ colorScheme: 'light' });
    }
    await tab.go('/keys', 'Keys');
    await tab.page.getByRole('button', { name: 'Create a key' }).click();
    await tab.page.setViewportSize({ width: NARROWEST, height: HEIGHT });
    if (await tab.page.evaluate(IS_WIDER)) found.push('the dialog of Keys scrolls sideways');
    expect(found).toEqual([]);
    expect(tab.trouble).toEqual([]);
    await tab.context.close();
  });

  it('for operators have no finding either', async () => {
    const tab = await openTab(browser, scene.service.url, { width: 390 });
    const { url } = await scene.service.operate('POST', '/panel-links', { name: 'olga' });
    await tab.page.goto(scene.addressOf(String(url)));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByText('job-view').waitFor();
    await tab.page.evaluate(AXE);
    expect(await tab.page.evaluate(FINDINGS)).toEqual([]);
    await tab.go('/accounts', 'Accounts');
    await tab.page.getByText('demo-bakery').waitFor();
    expect(await tab.page.evaluate(FINDINGS)).toEqual([]);
    await tab.go(`/stream?name=account-${scene.accountId}`, 'Stream');
    await tab.page.getByText('0 AccountOpened').waitFor();
    expect(await tab.page.evaluate(FINDINGS)).toEqual([]);
    expect(await tab.page.evaluate(IS_WIDER)).toBe(false);
    await tab.context.close();
  });

  it('have a dialog without a finding, and a sign-in form without one', async () => {
    const tab = await openTab(browser, scene.service.url, { session });
    await tab.go(pages[2]![0], pages[2]![1]);
    await tab.page.getByRole('button', { name: 'Print again…' }).click();
    await tab.page.evaluate(AXE);
    expect(await tab.page.evaluate(FINDINGS)).toEqual([]);
    await tab.context.close();
    const stranger = await openTab(browser, scene.service.url);
    await stranger.go('/', 'Sign in');
    await stranger.page.evaluate(AXE);
    expect(await stranger.page.evaluate(FINDINGS)).toEqual([]);
    await stranger.context.close();
  });
});
