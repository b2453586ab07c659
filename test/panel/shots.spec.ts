import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium } from '../kit/chromium.js';
import { showAt, THEMES, WIDTHS } from './findings.js';
import { FurnishedScene, type Role } from './furnished-scene.js';
import { Album, digestOf, rendererOf } from './shots.js';

/** Digests that a person has accepted; `ACCEPT=1 npm run panel:shots` accepts what is drawn now. */
const ACCEPTED = fileURLToPath(new URL('accepted-shots.json', import.meta.url));
const ROLES: readonly Role[] = ['owner', 'viewer', 'developer', 'operator', 'newcomer'];

interface Accepted {
  readonly renderer: string;
  readonly pages: Readonly<Record<string, string>>;
}

/** Draws hundreds of pictures, so only `npm run panel:shots` does it. */
const describePictures: typeof describeInBrowser = process.env.PANEL_SHOTS
  ? describeInBrowser
  : (name) => describe(name, () => it.todo('are drawn by npm run panel:shots'));

describePictures('the pictures of the pages', () => {
  let browser: Browser;
  let furnished: FurnishedScene;
  const album = process.env.PANEL_SHOTS ? new Album(process.env.PANEL_SHOTS) : undefined;
  beforeAll(async () => {
    browser = await launchChromium();
    furnished = await FurnishedScene.start(browser);
  });
  afterAll(async () => {
    await browser.close();
    await furnished.close();
  });

  /** Draws all pages of a role; resolves to their digests by name. */
  async function draw(role: Role): Promise<readonly (readonly [string, string])[]> {
    const tab = await furnished.signedInAs(role, browser);
    await tab.page.clock.setFixedTime(furnished.scene.service.clock.now());
    const drawn: (readonly [string, string])[] = [];
    for (const page of furnished.pagesOf(role)) {
      await furnished.open(tab, page);
      const [kind] = page[0].split('?');
      const name = kind!.replace(/[0-9a-f-]{36}/, 'one');
      for (const width of WIDTHS)
        for (const theme of THEMES) {
          await showAt(tab.page, width, theme);
          const shot = `${role} ${name} ${width} ${theme}`;
          drawn.push([shot, await digestOf(tab.page)]);
          await album?.add(tab.page, shot);
        }
    }
    await tab.context.close();
    return drawn;
  }

  it('are those that were accepted last', async () => {
    const pages: Record<string, string> = {};
    let renderer = '';
    for (const role of ROLES) Object.assign(pages, Object.fromEntries(await draw(role)));
    const probe = await furnished.signedInAs('owner', browser);
    renderer = await rendererOf(probe.page);
    album?.close();
    if (process.env.ACCEPT) writeFileSync(ACCEPTED, `${JSON.stringify({ renderer, pages }, null, 2)}\n`);
    expect(existsSync(ACCEPTED)).toBe(true);
    const accepted = JSON.parse(readFileSync(ACCEPTED, 'utf8')) as Accepted;
    if (accepted.renderer !== renderer) {
      process.stderr.write(
        `pictures not compared: accepted with ${accepted.renderer}, drawn with ${renderer}\n`,
      );
      return;
    }
    const changed = Object.keys({ ...accepted.pages, ...pages }).filter(
      (name) => accepted.pages[name] !== pages[name],
    );
    expect(changed).toEqual([]);
  }, 600_000);
});
