import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, type Tab } from '../kit/chromium.js';
import { onePrinter, TestAgent } from '../kit/world.js';
import { A4, pdfOf } from '../kit/sample-pdfs.js';
import { Keys } from './keys.js';
import { PanelScene } from './panel-scene.js';

const LABELS = {
  content_types: ['pdf', 'raw'],
  color: false,
  duplex: false,
  papers: ['iso_a6_105x148mm'],
  options: ['paper', 'scale'],
};

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

  const choose = (name: string) =>
    tab.page.getByLabel('File').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('x') });
  /** The next file is not read before `goOn()`, which resolves when the page shows what follows. */
  const holdReading = () =>
    tab.page.evaluate(`{
      const read = Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = async function () {
        Blob.prototype.arrayBuffer = read;
        const bytes = await read.call(this);
        await new Promise((resolve) => {
          globalThis.goOn = () => {
            resolve();
            return new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)));
          };
        });
        return bytes;
      };
    }`);

  it('are named by their file, unless a person writes a title, even while it is read', async () => {
    const { page } = tab;
    await tab.go('/send', 'Send');
    const title = page.getByLabel('Title');
    await choose(`${'long '.repeat(40)}.txt`);
    await page.getByText('What is in').waitFor();
    expect(await title.inputValue()).toBe('long '.repeat(32));
    await holdReading();
    await choose('large.txt');
    await title.fill('Menu');
    await page.evaluate('goOn()');
    await page.getByText('What is in large.txt?').waitFor();
    expect(await title.inputValue()).toBe('Menu');
  });

  it('are of the file chosen last, even if an earlier one is read after it', async () => {
    const { page } = tab;
    await tab.go('/jobs', 'Jobs');
    await tab.go('/send', 'Send');
    await holdReading();
    await choose('first.txt');
    await page.waitForFunction('globalThis.goOn');
    await choose('second.txt');
    await page.getByText('What is in second.txt?').waitFor();
    await page.evaluate('goOn()');
    expect(await page.getByText('What is in second.txt?').count()).toBe(1);
  });

  it('show what was asked of the printer, and what it did', async () => {
    const { agent } = await TestAgent.ready(
      scene.service,
      scene.accountId,
      [{ ...onePrinter, printer_key: 'labels', name: 'Labels', capabilities: LABELS }],
      ['options/1'],
    );
    const { page } = tab;
    await tab.go('/send', 'Send');
    await page.reload();
    await page.getByLabel(/^Printer/).selectOption({ label: 'Labels on FRONT-DESK' });
    await page.getByLabel('File').setInputFiles({
      ...{ name: 'label.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n') },
    });
    await page.getByText('Paper, size and sides').click();
    await page.getByLabel(/^Paper/).selectOption('A6, 105 × 148 mm');
    await page.getByLabel(/^Size/).selectOption('100 %, cut off if larger');
    expect(await page.getByLabel(/^Tray/).count()).toBe(0);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { level: 1, name: 'Job label.pdf' }).waitFor();
    await verdict('Nothing has been printed.');
    const [lease] = await agent.lease(1);
    expect(lease).toMatchObject({ options: { paper: { name: LABELS.papers[0] }, scale: 'actual' } });
    await agent.accept(lease!);
    await agent.handoff(lease!);
    const applied = { paper: LABELS.papers[0], scale: 'actual', sheet_mm: [105, 148], drawn_percent: 100 };
    const ignored = [{ option: 'scale', reason: 'cut off at the margins' }];
    await agent.report(lease!, 'spooled', { applied, ignored });
    await agent.report(lease!, 'spooler_completed');
    scene.tell();
    const row = page.getByRole('row').filter({ hasText: 'Drawn at' });
    await row.getByText('100 %').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Paper' }).innerText()).toContain(
      'A6, 105 × 148 mm',
    );
    await page.getByText('Not applied: scale, cut off at the margins').waitFor();
  });

  it('in review are printed again only after a person has looked', async () => {
    const { job_id: jobId } = await scene.jobs.parked({ title: 'Invoice 88-B' });
    await tab.go(`/jobs/${jobId}`, 'Job Invoice 88-B');
    await verdict('It may have been printed');
    expect(await tab.page.getByRole('region', { name: 'Facts' }).innerText()).toMatch(/\nSPOOLER_VANISHED$/);
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
    await tab.go('/account/audit', 'Account');
    const row = tab.page.getByRole('row').filter({ hasText: 'printed again' });
    expect(await row.innerText()).toContain('bea');
  });

  it('are sent by the keyboard alone', async () => {
    const keys = new Keys(tab.page);
    await tab.go('/jobs', 'Jobs');
    await keys.tabTo('Send');
    await keys.press('Enter');
    await tab.page.getByRole('heading', { level: 1, name: 'Send' }).waitFor();
    await keys.tabTo('Printer');
    await keys.type('Till 1');
    await keys.tabTo('or text');
    await keys.type('a label');
    await keys.tabTo('Title');
    await keys.type('Typed');
    await keys.tabTo('Send');
    await keys.press('Enter');
    await tab.page.getByRole('heading', { level: 1, name: 'Job Typed' }).waitFor();
    const [lease] = await scene.jobs.agent.lease(1);
    expect(await scene.jobs.job(lease!.job_id)).toMatchObject({ title: 'Typed' });
    await scene.jobs.agent.release(lease!);
    await scene.jobs.cancel(lease!.job_id);
  });

  it('in review are decided by the keyboard alone', async () => {
    const keys = new Keys(tab.page);
    const { job_id: jobId } = await scene.jobs.parked({ title: 'Invoice 89' });
    await tab.go(`/jobs/${jobId}`, 'Job Invoice 89');
    await verdict('It may have been printed');
    await keys.tabTo('Print again…');
    await keys.press('Enter');
    await tab.page.getByRole('dialog').getByText(`svc:${jobId}:1`).waitFor();
    await keys.tabTo('Reason');
    await keys.type('the tray was empty');
    await keys.tabTo('I have looked: it was not printed');
    await keys.press('Space');
    await keys.tabTo('Print again');
    await keys.press('Enter');
    await verdict('Attempt 1 may have been printed too.');
    expect(await scene.jobs.job(jobId)).toMatchObject({ status: 'queued' });
    await scene.jobs.cancel(jobId);
  });

  it('are shown as they were at each event', async () => {
    const { job_id: jobId } = await scene.jobs.at('leased', { title: 'Moments' });
    scene.service.clock.advance(60_000);
    await scene.jobs.cancel(jobId);
    await tab.go(`/jobs/${jobId}`, 'Job Moments');
    const moments = tab.page.getByRole('slider', { name: 'As it was' });
    const status = (word: string) =>
      tab.page.getByLabel('Verdict').getByText(word, { exact: true }).waitFor();
    await status('cancelled');
    await moments.focus();
    await tab.page.keyboard.press('ArrowLeft');
    await status('leased');
    expect(await tab.page.getByText('cancelled', { exact: true }).count()).toBe(0);
    expect(await tab.page.getByRole('button', { name: 'Reprint as a new job…' }).count()).toBe(0);
    await tab.page.keyboard.press('ArrowRight');
    await status('cancelled');
    await verdict('before the hand-off');
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

  it('show the first pages of a PDF when asked, and the beginning of a long text', async () => {
    const { page } = tab;
    const data = (await pdfOf(A4, A4, A4, A4)).toString('base64');
    const pdf = await scene.jobs.create({
      title: 'Labels',
      content: { type: 'pdf', encoding: 'base64', data },
    });
    await tab.go(`/jobs/${pdf}`, 'Job Labels');
    await page.getByRole('button', { name: 'Show the first pages' }).click();
    await page.getByText('The first 3 of 4').waitFor();
    const red = `(() => {
      const canvas = document.querySelector('canvas[aria-label="Page 1 of 4"]');
      return [...canvas.getContext('2d').getImageData(20, 20, 1, 1).data].join();
    })()`;
    await page.waitForFunction(`${red} === '255,0,0,255'`);
    const long = { type: 'text', encoding: 'utf8', data: `first line\n${'x'.repeat(70_000)}` };
    const text = await scene.jobs.create({ title: 'Long list', content: long });
    await tab.go(`/jobs/${text}`, 'Job Long list');
    await page.getByRole('button', { name: 'Show the first lines' }).click();
    const shown = await page.getByLabel('Text of the document').innerText();
    expect([shown.slice(0, 10), shown.length]).toEqual(['first line', 65_537]);
    for (const jobId of [pdf, text]) await scene.jobs.cancel(jobId);
  });

  it('that do not exist are named as such', async () => {
    const id = '01990000-0000-7000-8000-00000000dead';
    const lists = [
      ['job', `/jobs/${id}`, 'All jobs', 'Jobs'],
      ['printer', `/devices/printers/${id}`, 'All devices', 'Devices'],
      ['webhook', `/webhooks/${id}`, 'All webhooks', 'Webhooks'],
      ['delivery', `/deliveries/${id}`, 'All deliveries', 'Webhooks'],
    ] as const;
    for (const [what, address, list, heading] of lists) {
      await tab.go(address.slice(0, -4), `No such ${what}`);
      await tab.go(address, `No such ${what}`);
      expect(await tab.page.title()).toBe(`No such ${what} · Remote Printing Service`);
      await tab.page.getByRole('link', { name: list }).click();
      await tab.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    }
  });
});
