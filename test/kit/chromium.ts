import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** The first takes two thirds of the CPU time of the others. */
const BROWSERS = [
  ...['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'],
  ...['/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
];

/** Undefined where no Chromium is installed. */
export const executablePath = BROWSERS.find((path) => existsSync(path));

/** Ten seconds of rendering on a busy machine are no failure. */
const PATIENT_MS = 30_000;

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** Declares tests in a browser; without Chromium one line says that they are skipped. */
export function describeInBrowser(subject: string, tests: () => void): void {
  if (executablePath) return describe(subject, tests);
  it(`${subject}: not tested, because Chromium is not installed`, () => {
    process.stderr.write(`${subject}: not tested in a browser, none of ${BROWSERS.join(', ')}\n`);
  });
}

/** Console errors, uncaught errors, and requests that leave the origin. */
export function watch(page: Page, origin: string): string[] {
  const trouble: string[] = [];
  page.on('console', (message) => {
    // Chromium reports every answer above 400 as an error; the pages show those themselves.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      trouble.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => trouble.push(`uncaught: ${error.message}`));
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (asked !== origin && protocol !== 'data:' && protocol !== 'blob:')
      trouble.push(`foreign: ${request.url()}`);
  });
  return trouble;
}

/** A tab of the panel. */
export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What no page may do; empty at the end of a test. */
  readonly trouble: readonly string[];
  /** Opens a page by its address within the panel. */
  go(address: string, heading: string | RegExp): Promise<void>;
}

export interface TabOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Cookies of another browser. */
  readonly session?: Awaited<ReturnType<BrowserContext['storageState']>>;
}

/** Opens a new browser profile. @param url of the service, with /v1 */
export async function openTab(browser: Browser, url: string, options: TabOptions = {}): Promise<Tab> {
  const { width = 1280, colorScheme = 'light', session } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    ...(session && { storageState: session }),
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENT_MS);
  const { origin } = new URL(url);
  const trouble = watch(page, origin);
  return {
    page,
    context,
    trouble,
    async go(address, heading) {
      await page.goto(`${origin}/panel/#${address}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    },
  };
}
