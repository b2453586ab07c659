import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { NEXT_FRAME } from './findings.js';

/** Runs in the page: gives ids, times, versions and ports, which differ in every run, a fixed text. */
const MASK = `(() => {
  const masks = [
    [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '00000000-0000-7000-8000-000000000000'],
    [/\\u2026\\w{4}\\b/g, '\\u20260000'],
    [/127\\.0\\.0\\.1:\\d+/g, '127.0.0.1:0'],
    [/\\d+\\.\\d+\\.\\d+(\\.\\d+)?/g, '0.0.0'],
    [/PR-[0-9A-F]{8}/g, 'PR-00000000'],
    [/\\d+(\\.\\d+ s| ms)\\b/g, '0.0 s'],
    [/\\bin \\d+ ?[a-z]+/g, 'in 0m'],
  ];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    // React writes the ellipsis and the end of a key as two texts.
    const isEnd = walker.currentNode.previousSibling?.data?.endsWith('\\u2026');
    const masked = isEnd ? '0000' : masks.reduce((text, [from, to]) => text.replace(from, to), walker.currentNode.data);
    if (masked !== walker.currentNode.data) walker.currentNode.data = masked;
  }
})()`;

/** Runs in the page: each element that has a box, with place, size, colours and its own text. */
const BOXES = `[...document.body.querySelectorAll('*:not(svg *)')].flatMap((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  if (width === 0 || height === 0) return [];
  const { color, backgroundColor, fontWeight } = getComputedStyle(element);
  const text = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data).join('');
  const box = [x, y + scrollY, width, height].map(Math.round);
  return [[element.tagName, ...box, color, backgroundColor, fontWeight, text].join(' ')];
}).join('\\n')`;

/** Runs in the page: the width of a text, which tells fonts apart. */
const PROBE = `(() => {
  const context = document.createElement('canvas').getContext('2d');
  context.font = '100px system-ui';
  return Math.round(context.measureText('Remote Printing Service 0123456789').width);
})()`;

/** What draws the pages: digests can be compared only with those of the same browser and fonts. */
export async function rendererOf(page: Page): Promise<string> {
  return `Chromium ${page.context().browser()!.version().split('.')[0]}, probe ${String(await page.evaluate(PROBE))}`;
}

/** A digest of the boxes, colours and texts of the shown page, once two frames show the same. */
export async function digestOf(page: Page): Promise<string> {
  let boxes = '';
  for (let before: string | undefined; before !== boxes;) {
    before = boxes;
    await page.evaluate(NEXT_FRAME);
    await page.evaluate(MASK);
    boxes = (await page.evaluate(BOXES)) as string;
  }
  return createHash('sha256').update(boxes).digest('hex').slice(0, 16);
}

/** Pictures of pages in one folder, with an index. */
export class Album {
  private readonly names: string[] = [];

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  async add(page: Page, name: string): Promise<void> {
    const file = `${name.replace(/[^\w]+/g, '-')}.png`;
    await page.screenshot({ path: path.join(this.folder, file), fullPage: true, animations: 'disabled' });
    this.names.push(
      `<figure><figcaption>${name}</figcaption><a href="${file}"><img src="${file}" loading="lazy"></a></figure>`,
    );
  }

  close(): void {
    const style =
      'figure{display:inline-block;vertical-align:top;margin:1rem}img{max-width:24rem;border:1px solid}';
    const html = `<!doctype html><meta charset="utf-8"><title>Pages of the panel</title><style>${style}</style>`;
    writeFileSync(path.join(this.folder, 'index.html'), html + this.names.join('\n'));
  }
}
