import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab, type Tab } from '../kit/chromium.js';
import { invite, PASSWORD } from '../kit/panel.js';
import { PanelScene } from './panel-scene.js';

describeInBrowser('signing in with a browser', () => {
  let scene: PanelScene;
  let browser: Browser;
  let tab: Tab;
  beforeAll(async () => {
    [scene, browser] = await Promise.all([PanelScene.start(), launchChromium()]);
  });
  beforeEach(async () => void (tab = await openTab(browser, scene.service.url)));
  afterEach(async () => {
    expect(tab.trouble).toEqual([]);
    await tab.context.close();
  });
  afterAll(async () => {
    await browser.close();
    await scene.close();
  });

  const heading = (name: string) => tab.page.getByRole('heading', { level: 1, name }).waitFor();
  const alert = () => tab.page.getByRole('alert').innerText();

  it('uses a link once, by its button alone, and removes the secret from the address', async () => {
    const { url } = await invite(scene.service, scene.accountId, 'bea', 'owner');
    const secret = url.slice(url.lastIndexOf('/') + 1);
    await tab.page.goto(scene.addressOf(url));
    await heading('Sign in with a link');
    await tab.page.waitForURL((address) => !address.href.includes(secret));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await heading('Choose a password');
    const kept = await tab.page.evaluate(
      'JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, history.state])',
    );
    expect(kept).not.toContain(secret);
    expect(await tab.page.evaluate('document.cookie')).toBe('');

    const second = await openTab(browser, scene.service.url);
    await second.page.goto(scene.addressOf(url));
    await second.page.getByRole('button', { name: 'Sign in' }).click();
    expect(await second.page.getByRole('alert').innerText()).toContain('This link was used.');
    await second.context.close();
  });

  it('works with the keyboard alone, from the link to a password', async () => {
    const { url, signInName } = await invite(scene.service, scene.accountId, 'kim', 'viewer');
    const { page } = tab;
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.goto(scene.addressOf(url));
    await heading('Sign in with a link');
    await press('Tab', 'Enter');
    await heading('Choose a password');
    await page.getByLabel('New password').focus();
    await page.keyboard.type(PASSWORD);
    await press('Enter');
    await heading('Overview');
    await page.getByRole('button', { name: 'Menu of kim' }).focus();
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await press('End', 'Enter');
    await heading('Sign in');
    await press('Tab');
    await page.keyboard.type(signInName);
    await press('Tab');
    await page.keyboard.type('not the right password');
    await press('Enter');
    expect(await alert()).toContain('SIGN_IN_REFUSED');
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Enter');
    await heading('Overview');
  });

  it('shows the sign-in form to a removed member, and stops polling', async () => {
    const { url, memberId } = await invite(scene.service, scene.accountId, 'rob', 'viewer');
    await tab.page.goto(scene.addressOf(url));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByRole('link', { name: 'Later' }).click();
    await heading('Overview');
    await scene.service.operate('POST', `/members/${memberId}/remove`);
    // The feed ends with the next message, and the page asks why.
    await scene.jobs.create();
    scene.tell();
    await heading('Sign in');
    const asked: string[] = [];
    tab.page.on('request', (request) => asked.push(request.url()));
    await scene.jobs.create();
    scene.tell();
    await tab.page.evaluate('new Promise((later) => setTimeout(later, 300))');
    expect(asked).toEqual([]);
  });

  it('keeps the chosen colours for the next browser, and stores nothing in this one', async () => {
    const { page } = tab;
    await scene.signedIn(browser, 'ned', 'viewer', tab);
    const scheme = 'getComputedStyle(document.documentElement).colorScheme';
    const stored = page.waitForResponse((answer) => answer.url().endsWith('/session/theme'));
    await page.getByRole('button', { name: 'Menu of ned' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await page.evaluate(scheme)).toBe('dark');
    await stored;
    await page.reload();
    await heading('Overview');
    await page.waitForFunction(`${scheme} === 'dark'`);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 0]);
  });

  it('ends in all tabs at once', async () => {
    await scene.signedIn(browser, 'tab', 'viewer', tab);
    const other = await tab.context.newPage();
    await other.goto(`${scene.address}#/account`);
    await other.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await tab.page.getByRole('button', { name: 'Menu of tab' }).click();
    await tab.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading('Sign in');
    await other.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });
});
