import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, type Tab } from '../kit/chromium.js';
import { soon } from '../kit/polling.js';
import { SmtpReceiver } from '../kit/smtp-receiver.js';
import { WebhookReceiver } from '../kit/webhook-receiver.js';
import { PanelScene } from './panel-scene.js';

describeInBrowser('choosing alerts in the panel', () => {
  let scene: PanelScene;
  let browser: Browser;
  let tab: Tab;
  let smtp: SmtpReceiver;
  let chat: WebhookReceiver;
  beforeAll(async () => {
    [smtp, chat, browser] = await Promise.all([
      SmtpReceiver.start(),
      WebhookReceiver.start(),
      launchChromium(),
    ]);
    scene = await PanelScene.start({ ALERTS_SMTP_URL: smtp.url, ALERTS_MAIL_FROM: 'print@example.com' });
    tab = await scene.signedIn(browser, 'bea', 'viewer');
  });
  afterAll(async () => {
    expect(tab.trouble).toEqual([]);
    await browser.close();
    await Promise.all([scene.close(), smtp.close(), chat.close()]);
  });

  const alerts = () => tab.page.getByRole('region', { name: 'My alerts' });
  const button = (name: string) => alerts().getByRole('button', { name });

  it('saves what, where and when, and sends a test to each channel', async () => {
    await tab.go('/account/alerts', 'Account');
    await alerts().getByLabel('A job needs a decision').check();
    await button('Add Mail').click();
    await alerts().getByLabel('Mail address').fill('bea@example.com');
    await button('Add Slack').click();
    await alerts().getByLabel('URL of the incoming webhook').fill(`http://127.0.0.1:${chat.port}/ok/secret`);
    await alerts().getByLabel('Messages').selectOption('At once');
    await alerts().getByLabel('Quiet hours').check();
    await alerts().getByLabel('Time zone').fill('Europe/Berlin');
    await button('Save alerts').click();
    await alerts().getByText('Saved').waitFor();
    await button('Send a test').click();
    await soon(() => smtp.mails.length === 1 && chat.requests.length === 1);
    await alerts().getByText('This is a test. Alerts arrive here.').first().waitFor();
    await alerts().getByText('sent', { exact: true }).first().waitFor();
  });

  it('shows the choice again, the chat only as its host', async () => {
    await tab.go('/', 'Overview');
    await tab.go('/account/alerts', 'Account');
    expect(await alerts().getByLabel('A job needs a decision').isChecked()).toBe(true);
    expect(await alerts().getByLabel('Time zone').inputValue()).toBe('Europe/Berlin');
    const shown = await alerts().innerText();
    expect(shown).toContain(`127.0.0.1:${chat.port}`);
    expect(shown).not.toContain('secret');
    for (const width of [320, 1280]) {
      await tab.page.setViewportSize({ width, height: 900 });
      expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      if (process.env.SHOTS) await alerts().screenshot({ path: `${process.env.SHOTS}/alerts-${width}.png` });
    }
  });

  it('says what is wrong with an address', async () => {
    await button('Add Teams').click();
    await alerts().getByLabel('URL of the workflow').fill('https://user@127.0.0.1/x');
    await button('Save alerts').click();
    await alerts().getByRole('alert').getByText('must not name a user').waitFor();
    expect(await alerts().getByLabel('URL of the workflow').inputValue()).toContain('user@');
  });
});
