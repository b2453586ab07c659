import { readdirSync, readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab } from '../kit/chromium.js';
import { length } from '../kit/length.js';
import { HOUR } from '../surface/asking.js';
import {
  ALL_LOOKS,
  findingsOf,
  inBothSchemes,
  LOOKS,
  shiftsOf,
  showAt,
  watchShifts,
  WIDTHS,
  type Look,
} from './findings.js';
import { FurnishedScene, type Role } from './furnished-scene.js';

/** How the pages of a role are checked. */
interface Checks {
  /** The widths at which each page is opened, to see what moves. */
  readonly opened: readonly number[];
  readonly looks: readonly Look[];
  /** The pages are turned to, as by links, but for the first; otherwise each is loaded. */
  readonly isTurned?: true;
}

const ALL: Checks = { opened: [390, 1280], looks: ALL_LOOKS };
/**
 * Each page at each width, and each scheme in a narrow and a wide one, shared between the roles that see it. A wide page
 * of a viewer shows what the owner's and its own narrow one show.
 */
const IN_PAIRS: Partial<Record<Role, Checks>> = {
  owner: { opened: [1280], looks: LOOKS },
  viewer: { opened: [390], looks: [{ width: 390, asks: [{ scheme: 'dark' }] }], isTurned: true },
  operator: { opened: [390, 1280], looks: [{ width: 390 }, { width: 1280 }, ...inBothSchemes(320, 1920)] },
};
const CHECKS: Partial<Record<Role, Checks>> =
  length === 'soak' ? { owner: ALL, developer: ALL, viewer: ALL, operator: ALL, newcomer: ALL } : IN_PAIRS;
const DIALOG_LOOKS = length === 'soak' ? ALL_LOOKS : inBothSchemes(320, 1280);
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

  it.each(Object.entries(CHECKS) as [Role, Checks][])(
    'have no accessibility finding, no broken word, no sideways scroll and no layout shift for %s',
    async (role, { opened, looks, isTurned }) => {
      const tab = await furnished.signedInAs(role, browser);
      await watchShifts(tab.page);
      const found: string[] = [];
      for (const [n, page] of furnished.pagesOf(role).entries()) {
        for (const width of opened) {
          await showAt(tab.page, width, 'light');
          await (isTurned && n > 0 ? furnished.turnTo(tab, page) : furnished.open(tab, page));
          found.push(...(await shiftsOf(tab.page)));
        }
        found.push(...(await findingsOf(tab.page, looks)));
      }
      expect(found).toEqual([]);
      expect(tab.trouble).toEqual([]);
      await tab.context.close();
    },
    HOUR,
  );

  it('have none in dialogs, menus and details', async () => {
    const tab = await furnished.signedInAs('owner', browser);
    const { page } = tab;
    const found: string[] = [];
    const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
    await furnished.open(tab, furnished.pages[2]!);
    await button('Print again…').click();
    found.push(...(await findingsOf(page, DIALOG_LOOKS)));
    await tab.go('/keys', 'Keys');
    await button('Create a key').click();
    found.push(...(await findingsOf(page, DIALOG_LOOKS)));
    await furnished.turnTo(tab, furnished.pages[8]!);
    await button('Recover…').click();
    found.push(...(await findingsOf(page, DIALOG_LOOKS)));
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
    const found = [...(await findingsOf(stranger.page, length === 'soak' ? ALL_LOOKS : LOOKS))];
    await stranger.go('/enter/x', 'Sign in with a link');
    found.push(...(await findingsOf(stranger.page, length === 'soak' ? ALL_LOOKS : LOOKS)));
    expect(found).toEqual([]);
    await stranger.context.close();
  });
});
