import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { describeInBrowser, executablePath } from '../../kit/chromium.js';
import { freePort } from '../../kit/free-port.js';
import { FurnishedScene } from '../../panel/furnished-scene.js';

const INSTALL = path.join(import.meta.dirname, 'lighthouse/install.mjs');
const PROGRAM = path.resolve('node_modules/.cache/lighthouse/node_modules/lighthouse/core/index.js');
const run = promisify(execFile);

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number }>>;
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly details?: unknown }>>;
  readonly runWarnings: readonly string[];
}

/** Loaded once for all pages, which takes as long as one of them. */
interface Lighthouse {
  readonly default: (url: string, flags: object, config: object) => Promise<{ readonly lhr: Report }>;
  readonly desktopConfig: object;
}

describeInBrowser('each of five pages of the panel in Lighthouse', () => {
  let port: number;
  let browser: Browser;
  let furnished: FurnishedScene;
  beforeAll(async () => {
    port = await freePort();
    const args = ['--no-sandbox', `--remote-debugging-port=${port}`];
    browser = await chromium.launch({ executablePath, args });
    furnished = await FurnishedScene.start(browser);
  });
  afterAll(async () => {
    await browser.close();
    await furnished.close();
  });

  /** Lighthouse opens its tab in the default profile of the browser, whose cookies end with its last tab. */
  async function signInDefaultProfile(): Promise<void> {
    const devtools = await browser.newBrowserCDPSession();
    const cookies = furnished.session.cookies.map(({ name, value }) => ({
      ...{ name, value, httpOnly: true, sameSite: 'Strict' as const, url: furnished.scene.address },
    }));
    await devtools.send('Storage.setCookies', { cookies });
  }

  async function reportOf(address: string): Promise<Report> {
    const { default: lighthouse, desktopConfig } = (await import(PROGRAM)) as Lighthouse;
    const flags = {
      ...{ port, disableStorageReset: true, disableFullPageScreenshot: true },
      onlyCategories: ['accessibility', 'best-practices'],
    };
    const { lhr } = await lighthouse(`${furnished.scene.address}#${address}`, flags, desktopConfig);
    return lhr;
  }

  it('scores 100 for accessibility and for best practices', async () => {
    try {
      await run(process.execPath, [INSTALL]);
    } catch (error) {
      return void process.stderr.write(`Lighthouse cannot be installed: ${String(error)}`);
    }
    for (const [address] of furnished.pages.slice(0, 5)) {
      await signInDefaultProfile();
      const { categories, audits, runWarnings } = await reportOf(address);
      const failed = Object.entries(audits).filter(([, { score }]) => score !== null && score < 1);
      expect({ address, failed, runWarnings }).toEqual({ address, failed: [], runWarnings: [] });
      expect(Object.values(categories).map(({ score }) => score)).toEqual([1, 1]);
      // The sign-in form has no such link.
      expect(audits['skip-link']!.score).toBe(1);
    }
  });
});
