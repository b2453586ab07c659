import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { askInLoops } from './ask.js';
import { ATTACKER, type Attack, type Check } from './attack.js';
import { Browser, invite, TRUSTED } from './browser.js';

const CONNECTIONS = 14;
const PAUSE_MS = 50;
const SIGN_INS = 3;
const BETWEEN_SIGN_INS_MS = 1_500;
const PASSWORD = 'seven green bottles 1942';

/** Half of the attempts come from any address of IPv4, half from one /64 of IPv6. */
function anyAddress(n: number): string {
  const random = randomBytes(8);
  if (n % 2 === 0) return [10, ...random.subarray(0, 3)].join('.');
  return `2001:db8:0:1:${(random.toString('hex').match(/.{4}/g) ?? []).join(':')}`;
}

export const signIns: Attack = {
  name: 'A5',
  about: `${CONNECTIONS} connections try passwords of unknown names, from many addresses and one IPv6 /64`,
  env: TRUSTED,

  async prepare(service, victim) {
    const { token, signInName } = await invite(service, victim.accountId, 'anna');
    const browser = new Browser(service.url, '203.0.113.7');
    await browser.postOk('/session/link', { token });
    await browser.postOk('/password', { next: PASSWORD });
    await browser.postOk('/session/end', {});
    const signIn = { sign_in_name: signInName, password: PASSWORD };
    await browser.postOk('/session', signIn);
    await browser.postOk('/session/end', {});
    return { given: {}, during: () => signInChecks(browser, signIn) };
  },

  run: (running) =>
    askInLoops(running, CONNECTIONS, {
      expected: '401',
      pauseMs: PAUSE_MS,
      next: (n) => ({
        method: 'POST',
        path: '/v1/panel/session',
        from: ATTACKER,
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'x-forwarded-for': anyAddress(n),
        },
        body: JSON.stringify({ sign_in_name: `nobody-${n}@nowhere`, password: 'not the password at all' }),
      }),
    }),
};

async function signInChecks(browser: Browser, signIn: object): Promise<Check[]> {
  const checks: Check[] = [];
  for (let n = 0; n < SIGN_INS; n++) {
    const began = performance.now();
    const status = await browser.post('/session', signIn).then(
      (answer) => answer.status,
      () => 0,
    );
    const ms = Math.round(performance.now() - began);
    checks.push({
      about: `sign-in of a known browser: ${status || 'no answer'} in ${ms} ms`,
      ok: status === 200,
    });
    if (status === 200) await browser.post('/session/end', {}).catch(() => undefined);
    await pause(BETWEEN_SIGN_INS_MS);
  }
  return checks;
}
