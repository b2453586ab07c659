import { startTestService, type TestService } from '../../kit/service.js';
import { Browser, hashQuickly, joined, PASSWORD } from '../../kit/panel.js';
import { openAccount } from '../../kit/world.js';
import { MINUTE, SECOND, verdict } from '../asking.js';

const WRONG = 'not the right password';

describe('guessing passwords', () => {
  let service: TestService;
  let bea: Browser;
  const start = async (env: Record<string, string> = {}) => {
    service = await startTestService({ env });
    hashQuickly(service);
    const { accountId } = await openAccount(service, { slug: 'acme' });
    ({ browser: bea } = await joined(service, accountId, 'bea', 'owner'));
    await bea.post('/panel/password', { next: PASSWORD });
  };
  afterEach(() => service.close());

  /** One attempt at a time, each from its own address as far as the limits know. */
  const attempts = async (name: string, howMany: number, password = WRONG) => {
    const answers = [];
    for (let n = 0; n < howMany; n++) answers.push(await new Browser(service).signIn(name, password));
    return answers;
  };
  const codes = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);
  const ten = Array.from({ length: 10 }, () => 401);

  it.each(['bea@acme', 'nobody@acme', 'bea@nowhere'])(
    'is blocked after ten wrong passwords for %s, even with the right one, for 15 minutes',
    async (name) => {
      await start();
      const answers = await attempts(name, 11);
      expect(codes(answers)).toEqual([...ten, 429]);
      expect(answers[10]!.headers.get('retry-after')).toBe('900');
      service.clock.advance(15 * MINUTE - SECOND);
      const blocked = await new Browser(service).signIn(name, PASSWORD);
      expect(verdict(blocked)).toBe('429 RATE_LIMIT_EXCEEDED');
      expect(blocked.headers.get('retry-after')).toBe('1');
      service.clock.advance(SECOND);
      const later = await new Browser(service).signIn(name, PASSWORD);
      expect(later.status).toBe(name === 'bea@acme' ? 200 : 401);
    },
  );

  it('leaves sessions, links and other names usable during a block', async () => {
    await start();
    await attempts('bea@acme', 10);
    expect(verdict(await new Browser(service).signIn('bea@acme', PASSWORD))).toBe('429 RATE_LIMIT_EXCEEDED');
    expect(await bea.session()).toMatchObject({ sign_in_name: 'bea@acme' });
    const { person_id } = (await bea.session()) as { person_id: string };
    const { link } = await service.operate('POST', `/members/${person_id}/link`);
    expect((await new Browser(service).useLink((link as { url: string }).url)).status).toBe(200);
    expect(codes(await attempts('carl@acme', 1))).toEqual([401]);
  });

  it('blocks for the whole 15 minutes after an earlier right password', async () => {
    await start();
    await attempts('bea@acme', 1, PASSWORD);
    service.clock.advance(15 * MINUTE - 6 * SECOND);
    await attempts('bea@acme', 10);
    const blocked = await new Browser(service).signIn('bea@acme', PASSWORD);
    expect(blocked.headers.get('retry-after')).toBe('900');
    service.clock.advance(15 * MINUTE - SECOND);
    expect(verdict(await new Browser(service).signIn('bea@acme', PASSWORD))).toBe('429 RATE_LIMIT_EXCEEDED');
  });

  it("does not count a similar name towards a member's password", async () => {
    await start();
    const { person_id } = (await bea.session()) as { person_id: string };
    await attempts(`member:${person_id}`, 10);
    const next = 'three printers and a cat';
    expect((await bea.post('/panel/password', { current: PASSWORD, next })).status).toBe(200);
  });

  it('counts an IPv6 source by its /64, and by its /48 up to 100 a minute', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1, ::1' });
    const from = async (address: string) =>
      (await new Browser(service).useLink('x', { 'x-forwarded-for': address })).status;
    const of = async (count: number, address: (n: number) => string) => {
      const answered = new Map<number, number>();
      for (let n = 0; n < count; n++) {
        const status = await from(address(n));
        answered.set(status, (answered.get(status) ?? 0) + 1);
      }
      return Object.fromEntries(answered);
    };
    expect(await of(25, (n) => `2001:db8:1:2:${n}::1`)).toEqual({ 401: 20, 429: 5 });
    expect(await of(100, (n) => `2001:db8:1:${n + 100}::1`)).toEqual({ 401: 75, 429: 25 });
    expect(await from('2001:db8:2::1')).toBe(401);
    expect(await of(25, () => '::ffff:10.0.0.1')).toEqual({ 401: 20, 429: 5 });
    expect(await from('10.0.0.1')).toBe(429);
  });

  it('counts a block in a metric', async () => {
    await start();
    await attempts('bea@acme', 10);
    const headers = { authorization: `Bearer ${service.operatorToken}` };
    const metrics = await fetch(new URL('/metrics', service.url), { headers });
    expect(await metrics.text()).toMatch(/^rps_panel_sign_ins_blocked_total 1$/m);
  });

  it('does not count right passwords', async () => {
    await start();
    await attempts('bea@acme', 9);
    service.clock.advance(MINUTE);
    expect(codes(await attempts('bea@acme', 3, PASSWORD))).toEqual([200, 200, 200]);
    expect(codes(await attempts('bea@acme', 2))).toEqual([401, 429]);
  });

  it('gains nothing from concurrent attempts', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.0/8' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        new Browser(service).call(
          'POST',
          '/panel/session',
          { sign_in_name: 'bea@acme', password: WRONG },
          { 'x-forwarded-for': `10.0.0.${n}` },
        ),
      ),
    );
    const judged = codes(answers).filter((status) => status === 401);
    expect(judged.length).toBeLessThanOrEqual(10);
    expect(codes(answers).every((status) => [401, 429, 503].includes(status))).toBe(true);
  });

  it('is limited to twenty attempts a minute from one address, whatever the name', async () => {
    await start();
    const answers = [];
    for (let n = 0; n < 21; n++) answers.push(await new Browser(service).useLink(`x/${n}`));
    // Joining used one attempt.
    expect(codes(answers)).toEqual([...Array.from({ length: 19 }, () => 401), 429, 429]);
    service.clock.advance(MINUTE);
    expect(codes(await attempts('bea@acme', 1, PASSWORD))).toEqual([200]);
  });

  it('trusts X-Forwarded-For only from a trusted proxy', async () => {
    await start();
    const from = (address: string) =>
      new Browser(service).call(
        'POST',
        '/panel/session/link',
        { token: 'x' },
        { 'x-forwarded-for': address },
      );
    const answers = [];
    for (let n = 0; n < 20; n++) answers.push(await from(`10.0.0.${n}`));
    expect(codes(answers).at(-1)).toBe(429);
    await service.close();
    await start({ TRUSTED_PROXIES: '127.0.0.1, ::1' });
    const believed = [];
    for (let n = 0; n < 22; n++) believed.push(await from(`10.0.0.${n}`));
    expect(new Set(codes(believed))).toEqual(new Set([401]));
  });

  it('limits guesses of the current password by a stolen session', async () => {
    await start();
    service.clock.advance(10 * MINUTE);
    const answers = [];
    for (let n = 0; n < 11; n++)
      answers.push(
        await bea.post('/panel/password', { current: `${WRONG} ${n}`, next: 'three printers and a cat' }),
      );
    expect(codes(answers)).toEqual([...ten, 429]);
  });
});
