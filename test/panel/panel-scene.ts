import type { Browser } from 'playwright-core';
import { openTab, type Tab } from '../kit/chromium.js';
import { JobScene } from '../kit/job-scene.js';
import { hashQuickly, invite } from '../kit/panel.js';
import { startTestService, type TestService } from '../kit/service.js';
import { INSECURE } from '../surface/webhook-asking.js';

/** A service with one account, computer and printer, whose members use a real browser. */
export class PanelScene {
  private constructor(
    readonly service: TestService,
    readonly jobs: JobScene,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<PanelScene> {
    const service = await startTestService({ env: { ...INSECURE, ...env } });
    hashQuickly(service);
    return new PanelScene(
      service,
      await JobScene.open(service, { name: 'Demo bakery', slug: 'demo-bakery' }),
    );
  }

  get accountId(): string {
    return this.jobs.accountId;
  }

  /** Address of the panel as a browser of this machine opens it. */
  get address(): string {
    return `${new URL(this.service.url).origin}/panel/`;
  }

  /** The address that a link has on this machine. */
  addressOf(link: string): string {
    return this.address + link.slice(link.indexOf('#'));
  }

  /** A member who has signed in with the link of the invitation. */
  async signedIn(browser: Browser, name: string, role: string, tab?: Tab): Promise<Tab> {
    const opened = tab ?? (await openTab(browser, this.service.url));
    const { url } = await invite(this.service, this.accountId, name, role);
    await opened.page.goto(this.addressOf(url));
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    await opened.page.getByRole('link', { name: 'Later' }).click();
    await opened.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    return opened;
  }

  /** Lets the live feed tell what has happened: it gathers for a quarter of a second. */
  tell(): void {
    this.service.clock.advance(250);
  }

  close(): Promise<void> {
    return this.service.close();
  }
}
