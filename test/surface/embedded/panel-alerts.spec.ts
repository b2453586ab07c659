import { JobScene } from '../../kit/job-scene.js';
import { joined, type Browser } from '../../kit/panel.js';
import { soon } from '../../kit/polling.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { SmtpReceiver } from '../../kit/smtp-receiver.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { DAY, MINUTE, itemsOf } from '../asking.js';
import { onePrinter, openAccount } from '../../kit/world.js';

const mail = { type: 'mail', to: 'bea@example.com' };
const chosen = {
  kinds: ['job_in_review', 'credential_ends', 'computer_offline'],
  channels: [mail] as object[],
  pace: 'at_once',
  when_over: true,
  quiet_hours: null as object | null,
};

let service: TestService;
let smtp: SmtpReceiver;
let chat: WebhookReceiver;
let slug = 0;

beforeAll(async () => {
  [smtp, chat] = await Promise.all([SmtpReceiver.start(), WebhookReceiver.start()]);
  service = await startTestService({
    env: {
      ALERTS_SMTP_URL: smtp.url,
      ALERTS_MAIL_FROM: 'Printing <print@example.com>',
      WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
    },
  });
});
afterAll(() => Promise.all([service.close(), smtp.close(), chat.close()]));
beforeEach(() => {
  smtp.mails.length = 0;
  chat.requests.length = 0;
});

const slack = () => ({ type: 'slack', to: `http://127.0.0.1:${chat.port}/ok/secret-path` });

async function member(choice: object = chosen) {
  const { accountId } = await openAccount(service, { slug: `alerts-${slug++}` });
  const bea = await joined(service, accountId, 'bea', 'owner');
  const answered = await bea.browser.call('PUT', '/panel/alerts', choice);
  expect(answered.status).toBe(200);
  return { accountId, ...bea };
}

const endingKey = async (browser: Browser, name: string) => {
  const body = { name, scopes: ['jobs:read'], expires_at: service.fromNow(7 * DAY) };
  return String((await browser.post('/panel/keys', body)).body.data!.key_id);
};

interface Shown {
  readonly channels: readonly { channel_id: string; type: string; to: string }[];
  readonly messages: readonly {
    lines: string[];
    is_test: boolean;
    sends: { status: string; reason: string }[];
  }[];
}
const shown = async (browser: Browser) => (await browser.get('/panel/alerts')).body.data as unknown as Shown;
const isSent = (browser: Browser, count: number) => async () => {
  const { messages } = await shown(browser);
  return (
    messages.length === count && messages.every(({ sends }) => sends.every(({ status }) => status === 'sent'))
  );
};
/** Long enough for the signals and for the timers. */
const look = () => service.advance(30_000);

describe('choosing alerts', () => {
  it('shows what was chosen, the chat only as its host', async () => {
    const { browser } = await member({ ...chosen, channels: [mail, slack()] });
    const answered = await browser.get('/panel/alerts');
    expect(answered.body.data).toMatchObject({
      ...chosen,
      channels: [mail, { type: 'slack' }],
      offers_mail: true,
    });
    expect((await shown(browser)).channels[1]!.to).toBe(`127.0.0.1:${chat.port}`);
    expect(answered.text).not.toContain('secret-path');
    const audit = await browser.get('/panel/audit');
    expect(audit.text).toContain('MemberAlertsChosen');
  });

  it('keeps the address of a channel that is named without one', async () => {
    const { browser } = await member({ ...chosen, channels: [slack()] });
    const [channel] = (await shown(browser)).channels;
    const { channel_id, type } = channel!;
    await browser.call('PUT', '/panel/alerts', { ...chosen, channels: [{ channel_id, type }], pace: 'hour' });
    expect((await shown(browser)).channels).toEqual([channel]);
    await browser.post('/panel/alerts/test');
    await soon(() => chat.requests.length === 1);
  });

  it.each([
    ['four channels', { channels: [mail, mail, mail, mail] }],
    [
      'a channel of nobody',
      { channels: [{ channel_id: '01990000-0000-7000-8000-00000000dead', type: 'mail' }] },
    ],
    ['a channel without an address', { channels: [{ type: 'slack' }] }],
    ['no mail address', { channels: [{ type: 'mail', to: 'bea@example.com>, <eve@example.com' }] }],
    ['no URL', { channels: [{ type: 'teams', to: 'ftp://127.0.0.1/' }] }],
    ['an unknown kind', { kinds: ['weather'] }],
    ['an unknown time zone', { quiet_hours: { from: '22:00', until: '07:00', time_zone: 'Mars/Olympus' } }],
    ['no quiet time', { quiet_hours: { from: '22:00', until: '22:00', time_zone: 'UTC' } }],
  ])('refuses %s', async (_, wrong) => {
    const { browser } = await member();
    const answered = await browser.call('PUT', '/panel/alerts', { ...chosen, ...wrong });
    expect(answered.status).toBe(400);
    expect((await shown(browser)).channels).toMatchObject([mail]);
  });

  it('does not offer the channels of another member', async () => {
    const bea = await member();
    const zoe = await member();
    const [{ channel_id }] = (await shown(bea.browser)).channels as never as [{ channel_id: string }];
    const answered = await zoe.browser.call('PUT', '/panel/alerts', {
      ...chosen,
      channels: [{ channel_id, type: 'mail' }],
    });
    expect(answered.status).toBe(400);
  });
});

describe('being told', () => {
  it('comes once, by mail and chat, and once more when it is over', async () => {
    const { browser } = await member({ ...chosen, channels: [mail, slack()] });
    const keyId = await endingKey(browser, 'Till');
    await look();
    await soon(isSent(browser, 1));
    expect(smtp.mails).toMatchObject([
      { from: 'print@example.com', to: 'bea@example.com', headers: { 'auto-submitted': 'auto-generated' } },
    ]);
    expect(smtp.mails[0]!.text).toContain('Key “Till” ends on');
    expect(JSON.parse(chat.requests[0]!.body.toString())).toMatchObject({ mrkdwn: false });
    for (let n = 0; n < 4; n++) await look();
    expect([smtp.mails.length, chat.requests.length]).toEqual([1, 1]);
    await browser.post(`/panel/keys/${keyId}/revoke`);
    await look();
    await soon(isSent(browser, 2));
    expect(smtp.mails[1]!.text).toContain('Over: Key “Till” ends on');
  });

  it('names a job that needs a decision', async () => {
    const scene = await JobScene.open(service, { slug: `alerts-${slug++}` });
    const { browser } = await joined(service, scene.accountId, 'bea', 'developer');
    await browser.call('PUT', '/panel/alerts', chosen);
    const { job_id } = await scene.parked({ title: 'Order 1211' });
    await look();
    await soon(isSent(browser, 1));
    expect((await shown(browser)).messages[0]!.lines).toEqual(['Job “Order 1211” needs a decision']);
    expect(smtp.mails[0]!.headers.subject).toContain('UTF-8');
    expect(job_id).toBeTruthy();
  });

  it('tells of a computer that went offline, but not of one that was so before', async () => {
    const scene = await JobScene.open(service, { slug: `alerts-${slug++}` });
    await service.advance(5 * MINUTE);
    const { browser } = await joined(service, scene.accountId, 'bea', 'viewer');
    await browser.call('PUT', '/panel/alerts', chosen);
    const [computer] = itemsOf(await scene.service.call('GET', '/svc-api-computers', { as: scene.key }));
    const renamed = { display_name: 'Renamed' };
    const owner = await joined(service, scene.accountId, 'olga', 'owner');
    const path = `/panel/computers/${String(computer!.computer_id)}`;
    expect((await owner.browser.call('PATCH', path, renamed)).status).toBe(200);
    await look();
    expect((await shown(browser)).messages).toEqual([]);
    await scene.agent.heartbeat();
    await service.advance(5 * MINUTE);
    await look();
    await soon(isSent(browser, 1));
    expect((await shown(browser)).messages[0]!.lines).toEqual([expect.stringContaining('is offline')]);
  });

  it('tells of a printer whose spooler holds a job for more than five minutes, also once it is offline', async () => {
    const scene = await JobScene.open(service, { slug: `alerts-${slug++}` });
    const { browser } = await joined(service, scene.accountId, 'bea', 'developer');
    await browser.call('PUT', '/panel/alerts', { ...chosen, kinds: ['printer_behind', 'printer_offline'] });
    await scene.at('spooled', { title: 'Order 1211' });
    await scene.stayOnline(6 * MINUTE);
    const behind =
      'Printer “Till 1” is behind: job “Order 1211” has been at computer “FRONT-DESK” for over five minutes';
    await soon(isSent(browser, 1));
    expect((await shown(browser)).messages[0]!.lines).toEqual([behind]);
    await scene.agent.inventory([{ ...onePrinter, online: false }]);
    await look();
    await soon(isSent(browser, 2));
    expect((await shown(browser)).messages[0]!.lines).toEqual([
      'Printer “Till 1” is offline, and its computer holds one job',
      `Over: ${behind}`,
    ]);
  });

  it('tells of a printer for which jobs wait, as long as the first of them does', async () => {
    const scene = await JobScene.open(service, { slug: `alerts-${slug++}` });
    const { browser } = await joined(service, scene.accountId, 'bea', 'developer');
    await browser.call('PUT', '/panel/alerts', { ...chosen, kinds: ['printer_behind'] });
    await scene.create();
    await scene.stayOnline(4 * MINUTE);
    await scene.create();
    await scene.stayOnline(2 * MINUTE);
    await soon(isSent(browser, 1));
    expect((await shown(browser)).messages[0]!.lines).toEqual([
      'Printer “Till 1” is behind: 2 jobs wait, the first of them for over five minutes',
    ]);
  });

  it('tells of each failure of a job', async () => {
    const scene = await JobScene.open(service, { slug: `alerts-${slug++}` });
    const { browser } = await joined(service, scene.accountId, 'bea', 'developer');
    await browser.call('PUT', '/panel/alerts', { ...chosen, kinds: ['job_failed'] });
    await service.advance(1_000);
    const failure = { failure_class: 'temporary', failure_code: 'NO_PAPER' };
    await service.operate('POST', `/accounts/${scene.accountId}/plan`, { max_auto_retries: 1 });
    const lease = await scene.at('accepted');
    await scene.agent.report(lease, 'rejected', failure);
    await service.advance(15_000);
    await scene.agent.report(await scene.lease('accepted'), 'rejected', failure);
    await look();
    await soon(isSent(browser, 1));
    await scene.agent.heartbeat();
    expect((await scene.retry(lease.job_id)).status).toBe(200);
    await scene.agent.report(await scene.lease('accepted'), 'rejected', failure);
    await look();
    await soon(isSent(browser, 2));
  });

  it('gathers what happens within the chosen time', async () => {
    const { browser } = await member({ ...chosen, pace: 'quarter_hour' });
    await endingKey(browser, 'first');
    await look();
    await soon(isSent(browser, 1));
    await endingKey(browser, 'second');
    await look();
    await endingKey(browser, 'third');
    await look();
    expect((await shown(browser)).messages).toHaveLength(1);
    await service.advance(15 * MINUTE);
    await soon(isSent(browser, 2));
    expect((await shown(browser)).messages[0]!.lines).toHaveLength(2);
  });

  it('waits until the quiet hours end', async () => {
    const hour = (plus: number) => service.fromNow(plus * 60 * MINUTE).slice(11, 16);
    const quiet_hours = { from: hour(-1), until: hour(2), time_zone: 'UTC' };
    const { browser } = await member({ ...chosen, quiet_hours });
    await endingKey(browser, 'Night');
    await look();
    expect((await shown(browser)).messages).toEqual([]);
    await service.advance(2 * 60 * MINUTE);
    await soon(isSent(browser, 1));
  });

  it('ends with the membership', async () => {
    const bea = await member({ ...chosen, channels: [{ ...mail, to: 'removed@example.com' }] });
    const carl = await joined(service, bea.accountId, 'carl', 'owner');
    await endingKey(carl.browser, 'early');
    await look();
    await soon(() => smtp.mails.some(({ to }) => to === 'removed@example.com'));
    expect((await carl.browser.post(`/panel/members/${bea.memberId}/remove`)).status).toBe(200);
    await endingKey(carl.browser, 'late');
    for (let n = 0; n < 4; n++) await look();
    expect(smtp.mails.filter(({ to }) => to === 'removed@example.com')).toHaveLength(1);
  });
});

describe('sending a test', () => {
  it('reaches every channel', async () => {
    const { browser } = await member({ ...chosen, channels: [mail, { ...slack(), type: 'teams' }] });
    expect((await browser.post('/panel/alerts/test')).body.data!.messages).toMatchObject([{ is_test: true }]);
    await soon(isSent(browser, 1));
    expect(smtp.mails[0]!.headers.subject).toBe('[Remote Printing] Test');
    expect(chat.requests[0]!.body.toString()).toContain('AdaptiveCard');
  });

  it('is tried again after a refusal, with the same message id', async () => {
    const { browser } = await member();
    smtp.refusals.push('451 try later');
    await browser.post('/panel/alerts/test');
    await soon(async () => (await shown(browser)).messages[0]!.sends[0]!.status === 'waiting');
    expect((await shown(browser)).messages[0]!.sends[0]!.reason).toBe('SMTP_451');
    await service.advance(MINUTE);
    await soon(isSent(browser, 1));
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]!.headers['message-id']).toMatch(/^<[0-9a-f-]{36}\.[0-9a-f-]{36}@example\.com>$/);
    expect(smtp.mails[0]!.text).not.toContain('Perhaps');
  });
});

describe('a service without a mail server', () => {
  it('does not offer mail', async () => {
    const plain = await startTestService();
    const { accountId } = await openAccount(plain);
    const { browser } = await joined(plain, accountId, 'bea', 'owner');
    expect((await browser.get('/panel/alerts')).body.data).toMatchObject({
      offers_mail: false,
      kinds: [],
      channels: [],
    });
    const answered = await browser.call('PUT', '/panel/alerts', chosen);
    expect([answered.status, answered.text]).toEqual([400, expect.stringContaining('sends none')]);
    const inside = { ...chosen, channels: [{ type: 'slack', to: 'https://127.0.0.1/hook' }] };
    expect((await browser.call('PUT', '/panel/alerts', inside)).status).toBe(400);
    await plain.close();
  });
});
