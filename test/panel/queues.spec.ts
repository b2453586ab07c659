import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, type Tab } from '../kit/chromium.js';
import { onePrinter, TestAgent } from '../kit/world.js';
import { MINUTE } from '../surface/asking.js';
import { Keys } from './keys.js';
import { PanelScene } from './panel-scene.js';

describeInBrowser('printers and their queues in the panel', () => {
  let scene: PanelScene;
  let browser: Browser;
  let tab: Tab;
  let keys: Keys;
  let other: TestAgent;
  beforeAll(async () => {
    [scene, browser] = await Promise.all([PanelScene.start(), launchChromium()]);
    tab = await scene.signedIn(browser, 'bea', 'developer');
    keys = new Keys(tab.page);
    ({ agent: other } = await TestAgent.ready(scene.service, scene.accountId, [
      { ...onePrinter, name: 'Till 2' },
    ]));
  });
  afterAll(async () => {
    expect(tab.trouble).toEqual([]);
    await browser.close();
    await scene.close();
  });

  const dialog = () => tab.page.getByRole('dialog');
  const openPrinter = async () => {
    // The live feed waits between two messages.
    scene.service.clock.advance(1_000);
    await tab.page.clock.setFixedTime(scene.service.clock.now());
    await tab.go('/devices', 'Devices');
    await tab.page.getByRole('link', { name: 'Till 1' }).first().waitFor();
    await keys.tabTo('Till 1');
    await keys.press('Enter');
    await tab.page.getByRole('heading', { level: 1, name: 'Till 1' }).waitFor();
  };
  const verdict = (text: string | RegExp) => tab.page.getByLabel('State').getByText(text).waitFor();

  it('pauses and resumes a printer by keyboard', async () => {
    const jobId = await scene.jobs.create({ title: 'Waits' });
    await openPrinter();
    await keys.tabTo('Pause');
    await keys.press('Enter');
    await verdict(/The printer is paused/);
    expect(await scene.jobs.agent.lease()).toEqual([]);
    await tab.page.getByRole('button', { name: 'Resume' }).focus();
    await keys.press('Enter');
    await tab.page.getByRole('button', { name: 'Pause' }).waitFor();
    expect(await scene.jobs.agent.lease()).toMatchObject([{ job_id: jobId }]);
    await scene.jobs.cancel(jobId);
  });

  it('clears a queue by keyboard', async () => {
    const jobIds = [await scene.jobs.create(), await scene.jobs.create()];
    await openPrinter();
    await verdict('2 jobs wait.');
    await keys.tabTo('Clear…');
    await keys.press('Enter');
    await dialog().getByText('Jobs that wait for Till 1').waitFor();
    await tab.page.getByRole('button', { name: 'Cancel 2 jobs' }).focus();
    await keys.press('Enter');
    await tab.page.getByText('2 jobs were cancelled').waitFor();
    await verdict('Nothing waits.');
    for (const jobId of jobIds) expect(await scene.jobs.job(jobId)).toMatchObject({ status: 'cancelled' });
  });

  it('moves a queue by keyboard', async () => {
    const jobId = await scene.jobs.create({ title: 'Moves' });
    await other.heartbeat();
    await openPrinter();
    await tab.page.getByRole('link', { name: 'Moves' }).waitFor();
    await keys.tabTo('Move…');
    await keys.press('Enter');
    const choice = dialog().getByLabel('To');
    await choice.focus();
    await keys.type('Till 2');
    await dialog().getByRole('button', { name: 'Move', exact: true }).focus();
    await keys.press('Enter');
    await tab.page.getByText('1 job was moved to Till 2').waitFor();
    expect(await other.lease()).toMatchObject([{ job_id: jobId }]);
    await scene.jobs.cancel(jobId);
  });

  it('says what holds up a printer that is online', async () => {
    const jobId = await scene.jobs.create({ title: 'Late' });
    await scene.jobs.stayOnline(6 * MINUTE);
    await openPrinter();
    await verdict('1 job waits.');
    await verdict('has waited for 6 min.');
    await tab.page.getByLabel('Next steps').getByText('move what waits to another printer').waitFor();
    await tab.go('/send', 'Send');
    await tab.page.getByText('It is behind:').waitFor();
    await tab.go(`/jobs/${jobId}`, 'Job Late');
    await tab.page.getByRole('button', { name: 'Reprint as a new job…' }).click();
    await dialog().getByText('It is behind:').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await tab.go('/', 'Overview');
    // Why it waits is on its page: it need not be the printer.
    await tab.page.getByText(/^Till 1 is behind: Late has waited for 6 min\.$/).waitFor();
    await scene.jobs.cancel(jobId);
  });

  it('names the job that holds up a printer on the overview, Devices and its own page', async () => {
    const { page } = tab;
    const held = await scene.jobs.at('spooled', { title: 'Menu' });
    await scene.jobs.stayOnline(6 * MINUTE);
    const waits = await scene.jobs.create({ title: 'Waits behind it' });
    await openPrinter();
    const what = 'Look at the printer, and at its queue on';
    await verdict('has been in the spooler for 6 min.');
    await page.getByLabel('Next steps').getByText(`${what} the computer.`).waitFor();
    const rows = page.getByRole('table').getByRole('link');
    expect(await rows.allTextContents()).toEqual(['Menu', 'Waits behind it']);
    for (const [address, title] of [['/devices', 'Devices'] as const, ['/', 'Overview'] as const]) {
      await tab.go(address, title);
      const said = page.getByText(
        `Till 1 is behind: Menu has been in the spooler for 6 min. ${what} FRONT-DESK.`,
      );
      await said.waitFor();
    }
    await tab.go('/devices?only=printer_backlog', 'Devices');
    await page.getByText('Printers that are behind.').waitFor();
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(['Till 1 (default)']);
    await page.getByRole('link', { name: 'Show all devices' }).click();
    await page.getByRole('link', { name: 'Till 2' }).waitFor();
    await tab.go('/', 'Overview');
    await page.getByLabel('Needs you').getByRole('link', { name: 'Menu' }).click();
    await page.getByRole('heading', { level: 1, name: 'Job Menu' }).waitFor();
    await page.getByLabel('Next steps').getByText(`${what} the computer.`).waitFor();
    await scene.jobs.agent.report(held, 'spooler_completed');
    await scene.jobs.cancel(waits);
  });

  it('says of a paused printer why a job in its spooler does not come out', async () => {
    const { agent } = scene.jobs;
    const held = await scene.jobs.at('spooled', { title: 'Menu' });
    await scene.jobs.stayOnline(6 * MINUTE);
    const stuck = { printer_key: 'till-1', reason: 'door open', since: scene.service.clock.now() };
    const beat = async (...stuck_printers: readonly object[]) => {
      const figures = { free_bytes: 5_000, low_space: false, unsent_reports: 0, oldest_report_seconds: 0 };
      const json = { session_id: agent.sessionId, leases: [], health: { ...figures, stuck_printers } };
      expect((await agent.call('POST', '/heartbeat', { json })).status).toBe(200);
    };
    await beat(stuck);
    await openPrinter();
    await tab.page.getByRole('button', { name: 'Pause' }).click();
    await tab.page.getByRole('button', { name: 'Resume' }).waitFor();
    await scene.jobs.stayOnline(6 * MINUTE);
    await openPrinter();
    await verdict('has been in the spooler for 12 min.');
    await verdict(/cannot print/);
    await tab.page.getByRole('button', { name: 'Resume' }).click();
    await tab.page.getByRole('button', { name: 'Pause' }).waitFor();
    await beat();
    await agent.report(held, 'spooler_completed');
  });

  it('reprints a job by keyboard, and links both jobs', async () => {
    const jobId = await scene.jobs.create({ title: 'Order 1211' });
    await scene.jobs.lease('completed');
    await tab.go(`/jobs/${jobId}`, 'Job Order 1211');
    await tab.page.getByRole('button', { name: 'Reprint as a new job…' }).waitFor();
    await keys.tabTo('Reprint as a new job…');
    await keys.press('Enter');
    await dialog().getByRole('button', { name: 'Reprint', exact: true }).focus();
    await keys.press('Enter');
    const original = tab.page.getByRole('link', { name: jobId });
    await original.waitFor();
    const [lease] = await scene.jobs.agent.lease();
    expect(await scene.jobs.job(lease!.job_id)).toMatchObject({ title: 'Order 1211', reprint_of: jobId });
    await original.focus();
    await keys.press('Enter');
    await tab.page.getByRole('link', { name: lease!.job_id }).waitFor();
    expect(await keys.focused()).toBe('Job Order 1211');
    expect(await tab.page.title()).toBe('Order 1211 · Job · Remote Printing Service');
  });

  it('says why the queue of a printer stands still', async () => {
    const { agent, printerId } = await TestAgent.ready(scene.service, scene.accountId, [
      { ...onePrinter, name: 'Back room' },
    ]);
    const jobId = await scene.jobs.create({ title: 'Held up', printer_id: printerId });
    await scene.service.operate('POST', `/computers/${agent.computerId}/disable`);
    await tab.go(`/devices/printers/${printerId}`, 'Printer Back room');
    await verdict('is disabled');
    expect(await tab.page.getByRole('button', { name: 'Print a test page' }).isDisabled()).toBe(true);
    await tab.go('/send', 'Send');
    await tab.page.reload();
    const choice = tab.page.locator('option', { hasText: /^Back room on FRONT-DESK, disabled$/ });
    await choice.waitFor({ state: 'attached' });
    expect(await choice.isDisabled()).toBe(true);
    await tab.go(`/devices/printers/${printerId}`, 'Printer Back room');
    await scene.jobs.cancel(jobId);
    scene.tell();
    await verdict('Nothing waits.');
    await tab.page.getByLabel('State').getByText('is disabled').waitFor({ state: 'detached' });
  });

  it('renames a computer', async () => {
    await tab.go('/devices', 'Devices');
    const menu = tab.page.getByRole('button', { name: 'Actions for FRONT-DESK' }).first();
    await menu.focus();
    await keys.press('Enter');
    await tab.page.getByRole('menuitem', { name: 'Rename…' }).click();
    await dialog().getByLabel('Name').fill('Counter');
    await keys.press('Enter');
    await tab.page.getByRole('heading', { level: 2, name: 'Counter' }).waitFor();
  });
});
