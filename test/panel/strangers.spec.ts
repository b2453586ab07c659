import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, type Tab } from '../kit/chromium.js';
import { HOSTILE } from '../kit/hostile-strings.js';
import { onePrinter } from '../kit/world.js';
import { WebhookReceiver } from '../kit/webhook-receiver.js';
import { eventually, WebhookClerk } from '../surface/webhook-asking.js';
import { PanelScene } from './panel-scene.js';

/** Texts as a page shows them: from the DOM, because scripts could change what is drawn. */
const SHOWN = `[...document.querySelectorAll('bdi, pre')].map((at) => at.textContent)`;
const RAN = 'window.strangersRan';
/** Reports what the policy had to stop: nothing should get that far. */
const REPORT = `
  document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective));
`;

describeInBrowser('what strangers write', () => {
  let scene: PanelScene;
  let browser: Browser;
  let tab: Tab;
  let receiver: WebhookReceiver;
  const pages: {
    readonly address: string;
    readonly heading: string | RegExp;
    readonly shows: readonly string[];
  }[] = [];

  beforeAll(async () => {
    [scene, browser, receiver] = await Promise.all([
      PanelScene.start(),
      launchChromium(),
      WebhookReceiver.start(),
    ]);
    await writeEverywhere();
    tab = await scene.signedIn(browser, 'bea', 'owner');
    await tab.page.addInitScript(REPORT);
  });
  afterAll(async () => {
    await browser.close();
    await scene.close();
    await receiver.close();
  });

  async function writeEverywhere(): Promise<void> {
    const { service, jobs } = scene;
    const accountPath = `/accounts/${scene.accountId}`;
    const printers = HOSTILE.map((text, n) => ({
      ...onePrinter,
      ...{ printer_key: `p-${n}`, name: text, driver: text, port: text, is_default: false },
    }));
    const ids = await jobs.agent.inventory([onePrinter, ...printers]);
    for (const [n, text] of HOSTILE.entries()) {
      await service.operate('POST', `${accountPath}/keys`, { name: text, scopes: ['jobs:read'] });
      await service.operate('POST', `${accountPath}/members`, {
        ...{ name: `m${n}`, display_name: text.slice(0, 80), role: 'viewer' },
      });
      const { enrollment_token } = await service.operate('POST', `${accountPath}/enrollments`, {});
      const reported = { hostname: text, operating_system: text, agent_version: text.slice(0, 40) };
      const json = { enrollment_token, installation_id: randomUUID(), ...reported };
      await service.call('POST', '/managed/enroll', { json });
    }
    const jobIds = [];
    for (const [n, text] of HOSTILE.entries()) {
      const jobId = await jobs.create({ title: text, external_id: text, printer_id: ids[n + 1] });
      const [lease] = await jobs.agent.lease(1);
      await jobs.agent.accept(lease!);
      await jobs.agent.report(lease!, 'rejected', { failure_code: 'RENDER_FAILED', message: text });
      jobIds.push(jobId);
    }
    const cancelled = await jobs.create({ title: HOSTILE[0] });
    await jobs.cancel(cancelled, { reason: HOSTILE[3] });
    const clerk = new WebhookClerk(service, jobs.key);
    const { webhookId } = await clerk.open(
      `http://127.0.0.1:${receiver.port}/markup/${encodeURI(HOSTILE[4]!)}`,
      {
        ...{ description: HOSTILE[4], event_types: ['job.cancelled'] },
      },
    );
    await jobs.cancel(await jobs.create({ title: HOSTILE[6] }));
    const [delivery] = await eventually(
      async () => (await clerk.list()).deliveries,
      (all) => all.some(({ status }) => status === 'retry_scheduled'),
    );
    const shortened = HOSTILE.map((text) => text.slice(0, 80));
    pages.push(
      { address: '/', heading: 'Overview', shows: [] },
      { address: '/jobs', heading: 'Jobs', shows: HOSTILE },
      { address: '/devices', heading: 'Devices', shows: HOSTILE },
      { address: '/keys', heading: 'Keys', shows: HOSTILE },
      { address: '/account', heading: /^Account/, shows: shortened },
      { address: '/webhooks', heading: 'Webhooks', shows: [HOSTILE[4]!] },
      { address: `/webhooks/${webhookId}`, heading: /^Webhook/, shows: [HOSTILE[4]!] },
      {
        address: `/deliveries/${delivery!.delivery_id}`,
        heading: /^Delivery/,
        shows: ['<img src=x onerror=alert(1)>'],
      },
      { address: `/jobs/${cancelled}`, heading: /^Job/, shows: [HOSTILE[3]!] },
      { address: `/devices/printers/${ids[4]}`, heading: /^Printer/, shows: [HOSTILE[3]!] },
      { address: '/send', heading: 'Send', shows: [] },
      ...jobIds.map((id, n) => ({ address: `/jobs/${id}`, heading: /^Job/, shows: [HOSTILE[n]!] })),
    );
  }

  it('is shown as it was sent on every page, and never runs', async () => {
    expect(HOSTILE).toHaveLength(40);
    for (const { address, heading, shows } of pages) {
      await tab.go(address, heading);
      const missing = async () => {
        const shown = new Set((await tab.page.evaluate(SHOWN)) as string[]);
        return shows.filter((text) => !shown.has(text));
      };
      expect([address, await eventually(missing, ({ length }) => length === 0)]).toEqual([address, []]);
      expect([address, await tab.page.evaluate(RAN)]).toEqual([address, undefined]);
    }
    expect(tab.trouble).toEqual([]);
  });

  it('is detected when it does run, which proves the checks above', async () => {
    const other = await tab.context.newPage();
    await other.addInitScript(REPORT);
    const reports: string[] = [];
    other.on('console', (message) => reports.push(message.text()));
    await other.goto(scene.address);
    await other
      .evaluate(
        `document.body.append(Object.assign(document.createElement('div'), {}));
       try { document.body.lastChild.innerHTML = '<img src=x>'; } catch (error) { console.error('trusted types: ' + error.message); }
       document.body.append(Object.assign(document.createElement('script'), { text: 'window.strangersRan = 1' }));`,
      )
      .catch((error: Error) => reports.push(`trusted types: ${error.message}`));
    expect(await other.evaluate(RAN)).toBeUndefined();
    expect(reports.some((line) => line.startsWith('policy: ') || line.includes('TrustedHTML'))).toBe(true);
    await other.close();
  });
});
