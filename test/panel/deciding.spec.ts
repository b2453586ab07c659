import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, type Tab } from '../kit/chromium.js';
import { PanelScene } from './panel-scene.js';

describeInBrowser('jobs in the panel', () => {
  let scene: PanelScene;
  let browser: Browser;
  let tab: Tab;
  beforeAll(async () => {
    [scene, browser] = await Promise.all([PanelScene.start(), launchChromium()]);
    tab = await scene.signedIn(browser, 'bea', 'owner');
  });
  afterAll(async () => {
    expect(tab.trouble).toEqual([]);
    await browser.close();
    await scene.close();
  });

  const verdict = (text: string) => tab.page.getByLabel('Verdict').getByText(text).waitFor();

  it('appear on an open list when they are created', async () => {
    await tab.go('/jobs', 'Jobs');
    await scene.jobs.create({ title: 'From curl' });
    scene.tell();
    await tab.page.getByRole('link', { name: 'From curl' }).waitFor();
    await scene.jobs.lease('completed');
  });

  it('are sent from a page, and followed to the spooler without a reload', async () => {
    await tab.go('/send', 'Send');
    await tab.page.getByLabel('or text').fill('two rolls and a coffee');
    await tab.page.getByLabel('Title').fill('Breakfast');
    await tab.page.getByRole('button', { name: 'Send' }).click();
    await tab.page.getByRole('heading', { level: 1, name: 'Job Breakfast' }).waitFor();
    await verdict('Nothing has been printed.');
    await scene.jobs.lease('completed');
    scene.tell();
    await verdict('The spooler finished at');
    await verdict('This does not prove that paper came out.');
    await tab.page.getByText('Attempt 1 · fence 1 · the spooler finished').waitFor();
  });

  it('in review are printed again only after a person has looked', async () => {
    const { job_id: jobId } = await scene.jobs.parked({ title: 'Invoice 88-B' });
    await tab.go(`/jobs/${jobId}`, 'Job Invoice 88-B');
    await verdict('It may have been printed');
    await tab.page.getByRole('button', { name: 'Print again…' }).click();
    const dialog = tab.page.getByRole('dialog');
    await dialog.getByText(`svc:${jobId}:1`).waitFor();
    const send = dialog.getByRole('button', { name: 'Print again' });
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('the tray was empty');
    await dialog.getByLabel('I have looked: it was not printed').check();
    await send.click();
    await verdict('Attempt 1 may have been printed too.');
    const [lease] = await scene.jobs.agent.lease(1);
    expect(lease).toMatchObject({ job_id: jobId, fence: 2 });
    await scene.jobs.agent.release(lease!);
    await scene.jobs.cancel(jobId);
    await tab.go('/account', 'Account');
    const row = tab.page.getByRole('row').filter({ hasText: 'JobRequeued' });
    expect(await row.innerText()).toContain('bea');
  });

  it('show the stored events in the order of the stream, and who caused them', async () => {
    const { job_id: jobId } = await scene.jobs.at('completed', { title: 'Receipt' });
    await tab.go(`/jobs/${jobId}`, 'Job Receipt');
    await tab.page.getByText('Stored events (7)').click();
    const shown = await tab.page.getByLabel('Stored events').innerText();
    const { items } = await scene.service.operate('GET', `/streams/job-${jobId}?limit=1000`);
    const ids = (items as { event_id: string }[]).map(({ event_id }) => event_id);
    const found = (JSON.parse(shown) as { event_id: string }[]).map(({ event_id }) => event_id);
    expect(found).toEqual(ids);
  });

  it('keep their filters in the address', async () => {
    await tab.go('/jobs', 'Jobs');
    await tab.page.getByLabel('Status').selectOption('spooler_completed');
    await tab.page.waitForURL(/#\/jobs\?status=spooler_completed$/);
    await tab.page.reload();
    await tab.page.getByRole('link', { name: 'Breakfast' }).waitFor();
    expect(await tab.page.getByRole('link', { name: 'Invoice 88-B' }).count()).toBe(0);
  });

  it('that do not exist are named as such', async () => {
    await tab.go('/jobs/01990000-0000-7000-8000-00000000dead', 'Job');
    await tab.page.getByText('No such job.').waitFor();
  });
});
