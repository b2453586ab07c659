import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Guards of the focus around a menu are hidden but reachable: they hand the focus on at once. */
const SCOPE = `{ exclude: [['[data-base-ui-focus-guard]']] }`;
const axeFindings = (runOnly: object) => `axe.run(${SCOPE}, {
  runOnly: ${JSON.stringify(runOnly)},
  resultTypes: ['violations'],
}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`;
const FINDINGS = axeFindings(RULES);
/** The dark scheme changes colours only; a test of the styles proves it. */
const COLOUR_FINDINGS = axeFindings({ type: 'rule', values: ['color-contrast', 'link-in-text-block'] });

/** Runs in the page: words that stand on two lines and not at a hyphen, dash, slash or ellipsis, rows that are too high, width. */
const LAYOUT_FINDINGS = `(() => {
  const found = [];
  const text = 'th, td, dt, dd, label, button, h1, h2, caption, .status';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest(text) || node.parentElement.closest('pre, .hidden')) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\\s/\\u2010-\\u2015\\u2026-]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push('breaks the word ' + word);
    }
  }
  if (innerWidth > 720)
    for (const row of document.querySelectorAll('.data-table tbody tr:not(.detail-row)'))
      if (row.offsetHeight > 37) found.push('has a row of ' + row.offsetHeight + ' px: ' + row.innerText);
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push('scrolls sideways by ' + (scrollWidth - clientWidth) + ' px');
  return found;
})()`;

export const WIDTHS = [320, 390, 1280, 1920] as const;
export const THEMES = ['light', 'dark'] as const;
const HEIGHT = 900;

/** Runs in the page: resolves once a frame was drawn, and React has handled the sizes that it observed in it. */
export const NEXT_FRAME = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = drawn;
  port2.postMessage(undefined);
}))).then(() => undefined)`;

/** Sets the size and the colour scheme of a page; tables have the columns of that size then. */
export async function showAt(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(NEXT_FRAME);
}

/** How a page is looked at: its layout in all, and in a scheme everything else, or the colours alone. */
export interface Look {
  readonly width: number;
  readonly asks?: readonly { readonly scheme: (typeof THEMES)[number]; readonly colours?: true }[];
}

/** Checks everything at the narrowest width in light and at the widest in dark; the viewer's test swaps the schemes. */
export const LOOKS: readonly Look[] = WIDTHS.map((width) => ({
  width,
  ...(width === WIDTHS[0] && { asks: [{ scheme: 'light' }] }),
  ...(width === WIDTHS.at(-1) && { asks: [{ scheme: 'dark' }] }),
}));

/** Everything at every width in every scheme. */
export const ALL_LOOKS: readonly Look[] = WIDTHS.flatMap((width) =>
  THEMES.map((scheme) => ({ width, asks: [{ scheme }] })),
);

/** Everything at these widths in the light scheme, and the colours in the dark one. */
export const inBothSchemes = (...widths: readonly number[]): readonly Look[] =>
  widths.map((width) => ({ width, asks: [{ scheme: 'light' }, { scheme: 'dark', colours: true }] }));

/** Adds up what moves from the beginning of each page, or since it was last asked. */
const WATCH_SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;
const MAX_SHIFT = 0.02;

export const watchShifts = (page: Page): Promise<unknown> => page.addInitScript(WATCH_SHIFTS);

/** What moved too far while the page was read. */
export async function shiftsOf(page: Page): Promise<readonly string[]> {
  const shifted = (await page.evaluate('[window.shifted, (window.shifted = 0)][0]')) as number;
  if (shifted <= MAX_SHIFT) return [];
  return [`${page.url().split('#')[1]} ${page.viewportSize()?.width} px: moves by ${shifted}`];
}

/**
 * What is wrong with the shown page. A test of the styles proves that pages of the other widths differ from those in
 * their layout only, and those of the dark scheme in their colours.
 */
export async function findingsOf(page: Page, looks: readonly Look[]): Promise<readonly string[]> {
  const found: string[] = [];
  const note = async (width: number, theme: 'light' | 'dark', question: string) => {
    await showAt(page, width, theme);
    for (const one of (await page.evaluate(question)) as string[])
      found.push(`${page.url().split('#')[1]} ${width} px ${theme}: ${one}`);
  };
  if (!(await page.evaluate('window.axe'))) await page.evaluate(AXE);
  for (const { width, asks = [] } of looks) {
    await note(width, asks[0]?.scheme ?? 'light', LAYOUT_FINDINGS);
    for (const { scheme, colours } of asks) await note(width, scheme, colours ? COLOUR_FINDINGS : FINDINGS);
  }
  return found;
}
