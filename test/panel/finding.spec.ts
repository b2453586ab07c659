import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { EvidenceLog } from '../../src/evidence/evidence-log.js';
import { describeInBrowser, launchChromium, type Tab } from '../kit/chromium.js';
import { findingsOf, inBothSchemes } from './findings.js';
import { PanelScene } from './panel-scene.js';

describeInBrowser('finding jobs in the panel', () => {
  let scene: PanelScene;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  const parked: string[] = [];
  beforeAll(async () => {
    [scene, browser] = await Promise.all([PanelScene.start(), launchChromium()]);
    tab = await scene.signedIn(browser, 'bea', 'owner');
    page = tab.page;
    for (const title of ['Invoice 1', 'Invoice 2']) parked.push((await scene.jobs.parked({ title })).job_id);
    for (const title of ['Order 1211', 'Order 1212', 'Menu', '=1+1']) {
      await scene.jobs.create({ title });
      await scene.service.advance(1_000);
    }
  });
  afterAll(async () => {
    expect(tab.trouble).toEqual([]);
    await browser.close();
    await scene.close();
  });

  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const row = (title: string) => page.getByRole('row').filter({ hasText: title });
  const titles = () => page.locator('tbody th a').allInnerTexts();

  it('needs the keyboard alone, from the search to the job and back', async () => {
    await tab.go('/jobs', 'Jobs');
    await page.getByRole('link', { name: 'Menu' }).waitFor();
    await press('/');
    await page.keyboard.type('order 12');
    await press('Enter');
    await row('Menu').waitFor({ state: 'detached' });
    await row('Order 1212').waitFor();
    expect(await titles()).toEqual(['Order 1212', 'Order 1211']);
    await page.getByRole('heading', { level: 1 }).focus();
    await press('j', 'j', 'Enter');
    await page.getByRole('heading', { level: 1, name: 'Job Order 1211' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Order 1212' }).waitFor();
    expect(await titles()).toEqual(['Order 1212', 'Order 1211']);
    await press('j', 'k', 'Enter');
    await page.getByRole('heading', { level: 1, name: 'Job Order 1212' }).waitFor();
  });

  it('goes to a page or searches from any page by Ctrl+K', async () => {
    await tab.go('/send', 'Send');
    await press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('dev');
    expect(await findingsOf(page, inBothSchemes(320, 1280))).toEqual([]);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    await page.getByRole('button', { name: 'Go to…' }).click();
    await page.keyboard.type('order 1211');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await row('Order 1211').waitFor();
    expect(await titles()).toEqual(['Order 1211']);
    await press('Control+k');
    await page.keyboard.type('till 1');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Printer Till 1' }).waitFor();
    await press('Control+k', 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('leaves letters to a person who types, and shows and turns off its keys', async () => {
    await tab.go('/jobs', 'Jobs');
    await press('/');
    await page.keyboard.type('j/x?');
    expect(await page.getByLabel('Find').inputValue()).toBe('j/x?');
    await page.getByRole('heading', { level: 1 }).focus();
    await press('?');
    const help = page.getByRole('dialog');
    await help.getByText('go to the next job').waitFor();
    expect(await findingsOf(page, inBothSchemes(320, 1280))).toEqual([]);
    await help.getByLabel('These keys are on').uncheck();
    await press('Escape');
    await help.waitFor({ state: 'detached' });
    await press('/');
    expect(await page.locator('input:focus').count()).toBe(0);
    await page.getByLabel('Find').fill('');
  });

  it('narrows by day, and says so when nothing fits', async () => {
    const today = scene.service.clock.now().slice(0, 'YYYY-MM-DD'.length);
    await tab.go(`/jobs?from=2020-01-01&to=2020-01-02`, 'Jobs');
    await page.getByText('No job fits these filters.').waitFor();
    await page.getByRole('button', { name: 'Show all jobs' }).click();
    await row('Menu').waitFor();
    await page.getByLabel('From').fill(today);
    await page.waitForURL((url) => url.hash.includes(`from=${today}`));
    await row('Menu').waitFor();
  });

  it('turns pages in the history of the browser', async () => {
    for (let n = 0; n < 50; n++) await scene.jobs.create({ title: `Page ${n}` });
    await tab.go('/jobs?q=page', 'Jobs');
    await row('Page 49').waitFor();
    await scene.jobs.create({ title: 'Page 50' });
    await page.reload();
    await row('Page 50').waitFor();
    await page.getByRole('link', { name: 'Older' }).click();
    await row('Page 0').waitFor();
    expect(await titles()).toEqual(['Page 0']);
    await page.goBack();
    await row('Page 50').waitFor();
  });

  it('downloads what is filtered, or typed without Enter, as a table', async () => {
    await tab.go('/jobs', 'Jobs');
    await page.getByLabel('Find').fill('=1');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^jobs-.*\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(",'=1+1,");
  });

  it('downloads the proof of the account, and of a job', async () => {
    await scene.service.service.app.get(EvidenceLog, { strict: false }).publish();
    const proof = async () => {
      const started = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export the proof' }).click();
      return readFile(await (await started).path(), 'utf8');
    };
    await tab.go('/account', /^Account/);
    await page.getByRole('link', { name: 'Evidence', exact: true }).click();
    await page.getByText('Newest checkpoint').waitFor();
    expect(await proof()).toContain(`rps-evidence/1 account ${scene.accountId} 0 `);
    await tab.go(`/jobs/${parked[0]}`, 'Job Invoice 1');
    await page.getByText('Stored events').click();
    expect(await proof()).toContain(`rps-evidence/1 stream job-${parked[0]} 0 `);
  });

  it('cancels several jobs that are chosen by keyboard', async () => {
    await tab.go('/jobs?q=order', 'Jobs');
    await row('Order 1212').waitFor();
    await press('j', 'x', 'j', 'x');
    await page.getByText('2 jobs chosen').waitFor();
    await page.getByRole('button', { name: 'Cancel…' }).focus();
    await press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 jobs' }).focus();
    await press('Enter');
    await page.getByText('2 jobs cancelled', { exact: true }).first().waitFor();
    for (const title of ['Order 1211', 'Order 1212']) await row(title).getByText('cancelled').waitFor();
  });

  it('prints several again only after a person has looked', async () => {
    await tab.go('/jobs?q=invoice', 'Jobs');
    await page.getByLabel('Select all').check();
    expect(await findingsOf(page, inBothSchemes(320, 1280))).toEqual([]);
    await page.getByRole('button', { name: 'Print again…' }).click();
    const dialog = page.getByRole('dialog');
    for (const jobId of parked) await dialog.getByText(`svc:${jobId}:1`).waitFor();
    const send = dialog.getByRole('button', { name: 'Print 2 jobs again' });
    expect(await findingsOf(page, inBothSchemes(320, 1280))).toEqual([]);
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByLabel('I have looked: none of these was printed').check();
    await send.click();
    await page.getByText('2 jobs sent again', { exact: true }).first().waitFor();
    for (const jobId of parked)
      expect(await scene.jobs.job(jobId)).toMatchObject({ status: 'queued', retry_count: 1 });
  });
});
