import type { Browser } from 'playwright-core';
import { openTab, type Tab } from './chromium.js';

/** A new browser profile that has used a sign-in link. A first sign-in puts off the password. */
export async function openByLink(browser: Browser, url: string, link: string, heading: string): Promise<Tab> {
  const tab = await openTab(browser, url);
  await tab.page.goto(`${new URL(url).origin}/panel/${link.slice(link.indexOf('#'))}`);
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  if (heading === 'Overview') await tab.page.getByRole('link', { name: 'Later' }).click();
  await tab.page.getByRole('heading', { level: 1, name: heading }).waitFor();
  return tab;
}
