import type { Browser, BrowserContext } from 'playwright-core';
import { EvidenceLog } from '../../src/evidence/evidence-log.js';
import { openTab, type Tab } from '../kit/chromium.js';
import { invite } from '../kit/panel.js';
import { openByLink } from '../kit/panel-tab.js';
import { WebhookReceiver } from '../kit/webhook-receiver.js';
import { onePrinter } from '../kit/world.js';
import { MINUTE } from '../surface/asking.js';
import { eventually, WebhookClerk } from '../surface/webhook-asking.js';
import { PanelScene } from './panel-scene.js';

/** On the first a job stands still, on the other receipts are printed. */
const TWO_PRINTERS = [
  onePrinter,
  { ...onePrinter, ...{ printer_key: 'till-2', name: 'Till 2', is_default: false } },
];

/** A page, and a text that it shows when it has been read. */
export type ScenePage = readonly [address: string, heading: string | RegExp, settled: string];
/** A newcomer owns an account without anything. */
export type Role = 'owner' | 'developer' | 'viewer' | 'operator' | 'newcomer';

const EMPTY_PAGES: readonly ScenePage[] = [
  ['/', 'Overview', 'First steps'],
  ['/jobs', 'Jobs', 'No jobs yet'],
  ['/send', 'Send', 'No printer is ready'],
  ['/devices', 'Devices', 'No computer yet'],
  ['/keys', 'Keys', 'No key yet'],
  ['/webhooks', 'Webhooks', 'No webhook yet'],
  ['/account', /^Account/, 'no password yet'],
];

/** A scene in which each page has something to show: jobs, a failing webhook, keys, members, an audit. */
export class FurnishedScene {
  private constructor(
    readonly scene: PanelScene,
    private readonly receiver: WebhookReceiver,
    private readonly partnerId: string,
    readonly pages: readonly ScenePage[],
    /** Cookies of the owner Bea. */
    readonly session: Awaited<ReturnType<BrowserContext['storageState']>>,
  ) {}

  static async start(browser: Browser): Promise<FurnishedScene> {
    const [scene, receiver] = await Promise.all([PanelScene.start(), WebhookReceiver.start()]);
    const { jobs, service } = scene;
    const [, other] = await jobs.agent.inventory(TWO_PRINTERS);
    await jobs.at('spooled', { title: 'Menu of the week' });
    await jobs.stayOnline(6 * MINUTE);
    // Before the webhook: while this job waits, retries would fall due.
    const { job_id: parked } = await jobs.parked({ title: 'Invoice 88-B' });
    const clerk = new WebhookClerk(service, jobs.key);
    const { webhookId } = await clerk.open(`http://127.0.0.1:${receiver.port}/error/x`, {
      event_types: ['job.created'],
    });
    for (let n = 0; n < 5; n++) {
      service.clock.advance(10);
      await jobs.at('completed', { title: `Receipt ${n}`, printer_id: other });
    }
    const [delivery] = await eventually(
      async () => (await clerk.list()).deliveries,
      (all) => all.length === 5 && all.every(({ status }) => status === 'retry_scheduled'),
    );
    await service.service.app.get(EvidenceLog, { strict: false }).publish();
    const partner = await service.operate('POST', '/partners', { name: 'Till Systems' });
    const partnerId = String(partner.partner_id);
    await service.operate('POST', `/partners/${partnerId}/credentials`, {
      ...{ kind: 'live', scopes: ['jobs:read'] },
    });
    const signedIn = await scene.signedIn(browser, 'bea', 'owner');
    const session = await signedIn.context.storageState();
    await signedIn.context.close();
    const pages: readonly ScenePage[] = [
      ['/', 'Overview', 'Receipt 0'],
      ['/jobs', 'Jobs', 'Receipt 0'],
      [`/jobs/${parked}`, 'Job Invoice 88-B', 'Stored events'],
      ['/send', 'Send', 'Print a test page'],
      ['/devices', 'Devices', 'Till 1'],
      [`/devices/printers/${jobs.printerId}`, 'Printer Till 1', 'Queue'],
      ['/keys', 'Keys', 'active'],
      ['/webhooks', 'Webhooks', 'answered'],
      [`/webhooks/${webhookId}`, 'Webhook', 'answered'],
      [`/deliveries/${delivery!.delivery_id}`, /^Delivery/, 'Attempts'],
      ['/account', /^Account/, 'no password yet'],
      ['/account/alerts', /^Account/, 'Save alerts'],
      ['/account/audit', /^Account/, 'invited'],
      ['/account/evidence', /^Account/, 'Newest checkpoint'],
      ['/account/sign-in', /^Account/, 'this one'],
      ['/password', 'Choose a password', 'Later'],
      ['/nothing', 'No such page', 'leads to no page'],
    ];
    return new FurnishedScene(scene, receiver, partnerId, pages, session);
  }

  /** The pages of a role; a viewer sees no keys. */
  pagesOf(role: Role): readonly ScenePage[] {
    const settled = (page: ScenePage): ScenePage =>
      page[0] === '/keys' ? ['/keys', 'Keys', 'needs the role'] : page;
    if (role === 'viewer') return this.pages.map(settled);
    if (role === 'newcomer') return EMPTY_PAGES;
    if (role !== 'operator') return this.pages;
    return [
      ['/', 'Service', 'job-view'],
      ['/accounts', 'Accounts', 'demo-bakery'],
      ['/find?q=demo', 'Find', 'Demo bakery'],
      ['/partners', 'Partners', 'till-systems'],
      [`/partners/${this.partnerId}`, 'Partner Till Systems', 'never'],
      [`/stream?name=account-${this.scene.accountId}`, 'Stream', '0 AccountOpened'],
    ];
  }

  /** A tab in which somebody of the role is signed in. */
  async signedInAs(role: Role, browser: Browser): Promise<Tab> {
    const { service } = this.scene;
    if (role === 'owner') return openTab(browser, service.url, { session: this.session });
    if (role === 'developer') return this.scene.signedIn(browser, 'dev', role);
    if (role === 'viewer') return this.scene.signedIn(browser, 'vic', role);
    if (role === 'newcomer') return this.newcomer(browser);
    const tab = await openTab(browser, service.url);
    const { url } = await service.operate('POST', '/panel-links', { name: 'olga' });
    await tab.page.goto(this.scene.addressOf(String(url)));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByRole('heading', { level: 1, name: 'Service' }).waitFor();
    return tab;
  }

  private async newcomer(browser: Browser): Promise<Tab> {
    const { service } = this.scene;
    const { account_id } = await service.operate('POST', '/accounts', { name: 'New shop' });
    const { url } = await invite(service, String(account_id), 'nia', 'owner');
    return openByLink(browser, service.url, url, 'Overview');
  }

  /** Turns to a page as a link does, without loading the panel again. */
  async turnTo(tab: Tab, [address, heading, settled]: ScenePage): Promise<void> {
    await tab.go(address, heading);
    await tab.page.getByText(settled).first().waitFor();
  }

  /** Loads a page and waits until everything on it has been read. */
  async open(tab: Tab, page: ScenePage): Promise<void> {
    // In the same process of the browser, which has compiled the panel already.
    await tab.page.evaluate(`history.replaceState(null, '', '#${page[0]}')`);
    await tab.page.reload();
    await this.turnTo(tab, page);
    await tab.page.waitForLoadState('networkidle');
  }

  async close(): Promise<void> {
    await this.scene.close();
    await this.receiver.close();
  }
}
