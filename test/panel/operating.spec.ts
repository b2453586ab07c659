import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab, type Tab } from '../kit/chromium.js';
import { PanelScene } from './panel-scene.js';

describeInBrowser('the pages for operators', () => {
  let scene: PanelScene;
  let browser: Browser;
  let tab: Tab;
  let jobId: string;
  beforeAll(async () => {
    [scene, browser] = await Promise.all([PanelScene.start(), launchChromium()]);
    ({ job_id: jobId } = await scene.jobs.parked());
    tab = await openTab(browser, scene.service.url);
    const { url } = await scene.service.operate('POST', '/panel-links', { name: 'olga' });
    await tab.page.goto(scene.addressOf(String(url)));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByRole('heading', { level: 1, name: 'Service' }).waitFor();
  });
  afterAll(async () => {
    expect(tab.trouble).toEqual([]);
    await browser.close();
    await scene.close();
  });

  it('show health and queues, and compare the read models with a replay', async () => {
    await tab.page.getByLabel('Health').getByText('ready').first().waitFor();
    await tab.page.getByRole('button', { name: 'Verify read models' }).click();
    const row = tab.page.getByRole('row').filter({ hasText: 'job-view' });
    await row.getByText('equal').waitFor();
    expect(await tab.page.getByText('differs').count()).toBe(0);
  });

  it('show what all accounts did, with rates, and what needs an operator', async () => {
    await tab.go('/', 'Service');
    await tab.page.getByRole('region', { name: 'Needs you' }).waitFor();
    await tab.page.getByText('jobs a minute, last full hour').waitFor();
    const marks = tab.page
      .getByRole('region', { name: 'Jobs created, by their status now' })
      .locator('svg g title');
    await marks.first().waitFor({ state: 'attached' });
    expect((await marks.allTextContents()).some((title) => title.endsWith('1 needs a decision'))).toBe(true);
    expect(await tab.page.locator('svg a').count()).toBe(0);
  });

  it('show the stream of a job as parallel lines, with every event', async () => {
    await tab.go('/stream', 'Stream');
    await tab.page.getByLabel('Name of the stream').fill(`job-${jobId}`);
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText('from here on it may have been printed').waitFor();
    await tab.page.getByText('0 JobCreated').waitFor();
    await tab.page.getByText('6 ManualReviewOpened').waitFor();
  });

  it('show the state after each event beside it', async () => {
    await tab.go(`/stream?name=job-${jobId}`, 'Stream');
    await tab.page.getByText('0 JobCreated').click();
    await tab.page.getByLabel('State after event 0').getByText('"status": "created"').waitFor();
    await tab.page.getByText('6 ManualReviewOpened').click();
    await tab.page.getByLabel('State after event 6').getByText('"status": "manual_review"').waitFor();
  });

  it('find an account by its slug, and open its stream', async () => {
    await tab.go('/find', 'Find');
    await tab.page.getByLabel('Job, computer, account or partner').fill('demo-b');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('link', { name: 'Demo bakery' }).click();
    await tab.page.getByText('0 AccountOpened').waitFor();
  });

  it('show other streams as a list, and an empty one as such', async () => {
    await tab.go(`/stream?name=account-${scene.accountId}`, 'Stream');
    await tab.page.getByText('0 AccountOpened').waitFor();
    await tab.go('/stream?name=job-nothing', 'Stream');
    await tab.page.getByText('No such stream').waitFor();
  });

  it('open an account, invite its owner, suspend it and close it', async () => {
    const { page } = tab;
    const dialog = page.getByRole('dialog');
    const button = (name: string) => dialog.getByRole('button', { name, exact: true });
    await tab.go('/accounts', 'Accounts');
    await page.getByRole('button', { name: 'Open an account…' }).click();
    await dialog.getByLabel('Name').fill('Flower shop');
    await button('Open').click();
    const row = page.getByRole('row').filter({ hasText: 'flower-shop' });
    const act = async (name: string) => {
      await row.getByRole('button', { name: 'Actions for flower-shop' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await act('Plan…');
    await dialog.getByLabel('Jobs a month').fill('500');
    await button('Change').click();
    await row.getByText('500').waitFor();
    await act('Invite…');
    await dialog.getByLabel('Name').fill('flora');
    await button('Invite').click();
    expect(await dialog.locator('pre').innerText()).toContain('#/enter/svc_link_live_');
    await button('I have stored it').click();
    await act('Suspend');
    await row.getByText('suspended').waitFor();
    await act('Resume');
    await act('Close…');
    expect(await button('Close for good').isDisabled()).toBe(true);
    await dialog.getByLabel('Type flower-shop').fill('flower-shop');
    await button('Close for good').click();
    await row.getByText('closed').waitFor();
    expect(await row.getByRole('button', { name: 'Actions for flower-shop' }).count()).toBe(0);
  });

  it('see an account as its viewers do, and come back', async () => {
    const { page } = tab;
    await tab.go('/accounts', 'Accounts');
    await page.getByRole('button', { name: 'Actions for demo-bakery' }).click();
    await page.getByRole('menuitem', { name: 'See as its viewers do' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('its audit shows this visit').waitFor();
    await tab.go(`/jobs/${jobId}`, /^Job/);
    expect(await page.getByRole('button', { name: 'Reprint' }).isDisabled()).toBe(true);
    await tab.go('/account/audit', /^Account/);
    await page.getByRole('row').filter({ hasText: 'operator olga saw the account' }).waitFor();
    expect(await page.getByRole('link', { name: 'Sign-in' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  });

  it('create a partner, and a credential that is shown once, used and revoked', async () => {
    const { page } = tab;
    const dialog = page.getByRole('dialog');
    await tab.go('/partners', 'Partners');
    await page.getByRole('button', { name: 'Create a partner…' }).first().click();
    await dialog.getByLabel('Name').fill('Till Systems');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('link', { name: 'Till Systems' }).click();
    await page.getByRole('heading', { level: 1, name: 'Partner Till Systems' }).waitFor();
    await page.getByRole('button', { name: 'Create a credential…' }).first().click();
    await dialog.getByRole('button', { name: 'Read only' }).click();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = await dialog.locator('pre').innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const use = () => scene.service.call('GET', '/managed/health', { as: secret });
    const row = page.getByRole('row').filter({ hasText: 'Read only' });
    await row.getByText('never').waitFor();
    expect((await use()).status).toBe(200);
    await page.reload();
    await row.getByText('ago').first().waitFor();
    await row.getByRole('button', { name: 'Revoke…' }).click();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await row.getByText('revoked').waitFor();
    expect((await use()).status).toBe(401);
  });

  it('are closed to members', async () => {
    const member = await scene.signedIn(browser, 'bea', 'owner');
    await member.page.goto(`${scene.address}#/stream`);
    await member.page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor();
    await member.context.close();
  });
});
