import { readdirSync, readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab } from '../kit/chromium.js';
import { findingsOf, inBothSchemes, LOOKS, showAt, WIDTHS, type Look } from './findings.js';
import { FurnishedScene } from './furnished-scene.js';

const SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;
const MAX_SHIFT = 0.02;
const PANEL = `${import.meta.dirname}/../../panel`;

describe('the styles of the panel', () => {
  const files = readdirSync(PANEL, { recursive: true }).map(String);
  const styles = files.filter((file) => file.endsWith('.css'));

  it('have no breakpoint between two narrow widths, nor between two wide ones', () => {
    const media = styles.flatMap(
      (file) => readFileSync(`${PANEL}/${file}`, 'utf8').match(/@media.*width.*/g) ?? [],
    );
    expect(media.length).toBeGreaterThan(5);
    const [narrow, phone, desk, wide] = WIDTHS;
    const pixels = media.map((rule) => parseFloat(/[\d.]+/.exec(rule)![0]) * (rule.includes('rem') ? 16 : 1));
    expect(pixels.filter((at) => (at > narrow && at <= phone) || (at > desk && at <= wide))).toEqual([]);
  });

  it('differ in the dark scheme in colours only', () => {
    expect(styles.length).toBeGreaterThan(5);
    const other =
      /prefers-color-scheme|color-scheme\)|\[data-theme[^\]]*\][^{]*\{(?!\s*color-scheme: \w+;\s*\})/;
    expect(styles.filter((file) => other.test(readFileSync(`${PANEL}/${file}`, 'utf8')))).toEqual([]);
  });
});

describeInBrowser('the pages of the panel', () => {
  let browser: Browser;
  let furnished: FurnishedScene;
  beforeAll(async () => {
    browser = await launchChromium();
    furnished = await FurnishedScene.start(browser);
  });
  afterAll(async () => {
    await browser.close();
    await furnished.close();
  });

  it('have no accessibility finding, no broken word, no sideways scroll and no layout shift', async () => {
    const tab = await furnished.signedInAs('owner', browser);
    await tab.page.addInitScript(SHIFTS);
    const found: string[] = [];
    for (const page of furnished.pages) {
      await showAt(tab.page, 1280, 'light');
      await furnished.open(tab, page);
      const shifted = (await tab.page.evaluate('window.shifted')) as number;
      if (shifted > MAX_SHIFT) found.push(`${page[0]} moves by ${shifted}`);
      found.push(...(await findingsOf(tab.page, LOOKS)));
    }
    expect(found).toEqual([]);
    expect(tab.trouble).toEqual([]);
    await tab.context.close();
  });

  /** The pages of an owner in the schemes that its own test leaves out; an operator has other pages. */
  const looksOf: Readonly<Record<'viewer' | 'operator', readonly Look[]>> = {
    viewer: [
      { width: 390, asks: [{ scheme: 'dark' }] },
      { width: 1280, asks: [{ scheme: 'light' }] },
    ],
    operator: [{ width: 390 }, { width: 1280 }, ...inBothSchemes(320, 1920)],
  };

  it.each(['viewer', 'operator'] as const)('have none for a %s', async (role) => {
    const tab = await furnished.signedInAs(role, browser);
    const found: string[] = [];
    for (const page of furnished.pagesOf(role)) {
      await furnished.turnTo(tab, page);
      found.push(...(await findingsOf(tab.page, looksOf[role])));
    }
    expect(found).toEqual([]);
    await tab.context.close();
  });

  it('have none in dialogs, menus and details', async () => {
    const tab = await furnished.signedInAs('owner', browser);
    const { page } = tab;
    const found: string[] = [];
    const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
    await furnished.open(tab, furnished.pages[2]!);
    await button('Print again…').click();
    found.push(...(await findingsOf(page, inBothSchemes(320, 1280))));
    await tab.go('/keys', 'Keys');
    await button('Create a key').click();
    found.push(...(await findingsOf(page, inBothSchemes(320, 1280))));
    await furnished.turnTo(tab, furnished.pages[8]!);
    await button('Recover…').click();
    found.push(...(await findingsOf(page, inBothSchemes(320, 1280))));
    await tab.go('/devices', 'Devices');
    await showAt(page, 800, 'light');
    await button('Detail').click();
    found.push(...(await findingsOf(page, inBothSchemes(800))));
    await button('Actions for Till 1').click();
    await page.getByRole('menuitem', { name: 'Rename…' }).waitFor();
    found.push(...(await findingsOf(page, inBothSchemes(800))));
    await page.keyboard.press('Escape');
    await button('Menu of bea').click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
    found.push(...(await findingsOf(page, inBothSchemes(390))));
    expect(found).toEqual([]);
    expect(tab.trouble).toEqual([]);
    await tab.context.close();
  });

  it('have none before somebody is signed in', async () => {
    const stranger = await openTab(browser, furnished.scene.service.url);
    await stranger.go('/', 'Sign in');
    const found = [...(await findingsOf(stranger.page, LOOKS))];
    await stranger.go('/enter/x', 'Sign in with a link');
    found.push(...(await findingsOf(stranger.page, LOOKS)));
    expect(found).toEqual([]);
    await stranger.context.close();
  });
});
