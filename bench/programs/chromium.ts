import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { ServiceProcess } from './service.js';
import { ownersLink } from '../world.js';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Undefined where no Chromium is installed. */
export async function launchChromium(): Promise<Browser | undefined> {
  const executablePath = BROWSERS.find((path) => existsSync(path));
  if (!executablePath) return undefined;
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-precise-memory-info'] });
}

/** A tab in which a new owner of the account has signed in. */
export async function signIn(
  browser: Browser,
  service: ServiceProcess,
  accountId: string,
  name: string,
): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(await ownersLink(service, accountId, name));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Later' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  return page;
}

/** Opens a page of the panel. */
export async function open(page: Page, address: string, heading: string): Promise<void> {
  await page.goto(`${page.url().split('#')[0]}#${address}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}
