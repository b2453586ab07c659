import { get as httpGet } from 'node:http';
import { openCustomer } from '../world.js';
import { ATTACKER, type Attack, type Check } from './attack.js';
import { Browser, invite, linkOf, TRUSTED } from './browser.js';
import { headOf, hold } from './hold.js';

const FEEDS = 200;
const FEEDS_OF_SESSION = 4;
const REOPEN_MS = 5_000;
const MESSAGE_WITHIN_MS = 5_000;

type Headers = Readonly<Record<string, string>>;

export const feeds: Attack<{ readonly sessions: readonly Headers[] }> = {
  name: 'A3',
  about: `a member with many sessions sends ${FEEDS} HEADs and ${FEEDS} GETs of the panel's feed`,
  env: TRUSTED,

  async prepare(service, victim) {
    const attacker = await openCustomer(service, 1);
    const { memberId } = await invite(service, attacker.accountId, 'eve');
    const sessions: Headers[] = [];
    for (let n = 0; n < FEEDS / FEEDS_OF_SESSION; n++) {
      const browser = new Browser(service.url, `198.51.100.${n}`);
      await browser.postOk('/session/link', { token: await linkOf(service, memberId) });
      sessions.push(browser.headers);
    }
    const other = new Browser(service.url, '203.0.113.7');
    await other.postOk('/session/link', { token: (await invite(service, victim.accountId, 'anna')).token });
    const check = (when: string) => async () => [await feedCheck(service.url, other.headers, when)];
    return { given: { sessions }, during: check('meanwhile'), after: check('afterwards') };
  },

  async run(running, { sessions }) {
    const open = (method: string) =>
      hold(running, {
        ...{ count: FEEDS, from: ATTACKER, reopenMs: REOPEN_MS },
        start(socket, n) {
          const headers = sessions[n % sessions.length]!;
          socket.write(headOf(running.url, `${method} /v1/panel/feed`, headers));
        },
      });
    await Promise.all([open('HEAD'), open('GET')]);
  },
};

/** Opens the feed of another account's member and waits for one message, which the victim's creates cause. */
async function feedCheck(url: string, headers: Headers, when: string): Promise<Check> {
  const began = performance.now();
  const found = await new Promise<string>((resolve) => {
    const asked = httpGet(new URL('/v1/panel/feed', url), { headers }, (answer) => {
      if (answer.statusCode !== 200) resolve(`answered ${answer.statusCode}`);
      answer.on('data', (chunk: Buffer) => chunk.includes('event:') && resolve('message'));
      answer.once('error', () => resolve('the feed broke off'));
    });
    asked.once('error', () => resolve('no answer'));
    setTimeout(() => resolve('no message'), MESSAGE_WITHIN_MS).unref();
    asked.once('close', () => resolve('the feed ended'));
    setTimeout(() => asked.destroy(), MESSAGE_WITHIN_MS);
  });
  const ms = Math.round(performance.now() - began);
  return { about: `feed of another member ${when}: ${found} after ${ms} ms`, ok: found === 'message' };
}
