import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, type Tab } from '../kit/chromium.js';
import { WebhookReceiver } from '../kit/webhook-receiver.js';
import { eventually, WebhookClerk } from '../surface/webhook-asking.js';
import { PanelScene } from './panel-scene.js';
import { MINUTE } from '../surface/asking.js';

const ATTACHED = { state: 'attached' } as const;

describeInBrowser('the charts of the overview', () => {
  let scene: PanelScene;
  let browser: Browser;
  let tab: Tab;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    [scene, browser, receiver] = await Promise.all([
      PanelScene.start(),
      launchChromium(),
      WebhookReceiver.start(),
    ]);
    const clerk = new WebhookClerk(scene.service, scene.jobs.key);
    for (const url of ['http://127.0.0.1:1/', `http://127.0.0.1:${receiver.port}/ok`])
      await clerk.open(url, { event_types: ['job.created'] });
    await scene.service.advance(10 * MINUTE);
    await scene.jobs.agent.heartbeat();
    await scene.jobs.at('completed');
    await scene.jobs.parked();
    await scene.jobs.create();
    await eventually(
      async () => (await clerk.list()).deliveries.filter(({ status }) => status === 'delivered').length,
      (count) => count === 3,
    );
    tab = await scene.signedIn(browser, 'vic', 'viewer');
    await tab.go('/', 'Overview');
  });
  afterAll(async () => {
    expect(tab.trouble).toEqual([]);
    await browser.close();
    await scene.close();
    await receiver.close();
  });

  const section = (name: string) => tab.page.getByRole('region', { name, exact: true });
  const marks = async (name: string) => {
    const titles = section(name).locator('svg a title');
    await titles.first().waitFor(ATTACHED);
    return titles.allTextContents();
  };

  it('have a part of a bar for each status of the hour', async () => {
    expect((await marks('Jobs created, by their status now')).map((title) => title.split(': ')[1])).toEqual([
      '1 spooler finished',
      '1 not ended',
      '1 needs a decision',
    ]);
  });

  it('lead from a mark to the jobs behind it', async () => {
    await section('Jobs created, by their status now').locator('svg a').nth(2).click();
    await tab.page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    expect(tab.page.url()).toMatch(/status=manual_review&from=2026-11-21T\d\d%3A00&to=2026-11-21T\d\d%3A59$/);
    await tab.page.getByRole('row').nth(1).waitFor();
    expect(await tab.page.getByRole('row').count()).toBe(2);
    await tab.page.goBack();
  });

  it('lead from a mark to the webhook deliveries of its hour', async () => {
    expect((await marks('Webhook deliveries')).map((title) => title.split(': ')[1])).toEqual(['3 delivered']);
    await section('Webhook deliveries').locator('svg title', { hasText: '3 not ended' }).waitFor(ATTACHED);
    await section('Webhook deliveries').locator('svg a').click();
    await tab.page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(tab.page.url()).toMatch(
      /webhooks\?status=delivered&from=2026-11-21T\d\d%3A00&to=2026-11-21T\d\d%3A59$/,
    );
    const deliveries = tab.page.getByRole('link', { name: 'job.created', exact: true });
    await deliveries.nth(2).waitFor();
    expect(await deliveries.count()).toBe(3);
    await tab.page.getByLabel('To', { exact: true }).fill('2026-11-20T00:00');
    await tab.page.getByText('No delivery fits these filters.').waitFor();
  });

  it('say the same in a table whose links the keyboard reaches', async () => {
    await tab.go('/', 'Overview');
    const jobs = section('Jobs created, by their status now');
    const table = jobs.locator('summary');
    await table.waitFor();
    await table.focus();
    await tab.page.keyboard.press('Enter');
    const link = jobs.getByRole('row').nth(1).getByRole('link').first();
    await link.waitFor();
    expect(await link.getAttribute('href')).toContain('status=spooler_completed');
    expect(await jobs.locator('svg a[tabindex="-1"]').count()).toBe(3);
  });

  it('show 30 days in the same place, kept in the address', async () => {
    await tab.page.getByRole('button', { name: '30 days' }).click();
    await tab.page.waitForURL(/range=30d/);
    await tab.page
      .getByText(/^1?\d Nov$/)
      .first()
      .waitFor();
    const jobs = section('Jobs created, by their status now').getByRole('link', { name: 'spooler finished' });
    expect(await jobs.getAttribute('href')).toMatch(/&from=2026-10-\d\dT\d\d%3A00&to=2026-11-2\d$/);
  });

  it('show 7 days by day', async () => {
    await tab.page.getByRole('button', { name: '7 days' }).click();
    await tab.page.waitForURL(/range=7d/);
    const jobs = section('Jobs created, by their status now').getByRole('link', { name: 'spooler finished' });
    // The month stays until the week is read.
    await jobs.and(tab.page.locator('[href*="from=2026-11-14"]')).waitFor();
    expect(await jobs.getAttribute('href')).toMatch(/&from=2026-11-14T\d\d%3A00&to=2026-11-2\d$/);
  });

  it('show when a computer was offline', async () => {
    const strips = section('Availability in the last 48 hours');
    await strips.getByText('offline once').first().waitFor();
    const states = (await strips.locator('.strips li').first().locator('svg a title').allTextContents()).map(
      (title) => title.split(' ')[0],
    );
    expect(states).toEqual(['pending', 'offline', 'online', 'offline', 'online']);
  });
});
