import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { exchange, head } from '../../test/kit/http/raw.js';
import { SlowedAddresses } from './slowed-addresses.js';

describe('new connections of an address that guessed credentials', () => {
  const around = () => {
    const clock = { ms: 1_000 };
    const slowed = new SlowedAddresses(() => clock.ms);
    const waits = (count: number, address = 'a') =>
      Array.from({ length: count }, () => slowed.nextWait(address));
    return { clock, slowed, waits };
  };

  it('are read 50 ms apart', () => {
    const { clock, slowed, waits } = around();
    expect(waits(3)).toEqual([0, 0, 0]);
    slowed.slow('a');
    expect(waits(3)).toEqual([0, 50, 100]);
    clock.ms += 120;
    expect(waits(2)).toEqual([30, 80]);
  });

  it('are ended unread while 100 wait, also if it guesses again', () => {
    const { slowed, waits } = around();
    slowed.slow('a');
    expect(waits(101).at(-1)).toBe(5_000);
    slowed.slow('a');
    expect(waits(1)).toEqual([undefined]);
  });

  it('do not delay those of others', () => {
    const { slowed, waits } = around();
    slowed.slow('a');
    expect(waits(3, 'b')).toEqual([0, 0, 0]);
  });
});

describe('an address that sent ten wrong keys in a connection', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo({ rateLimitFactor: 0 })));
  afterAll(() => demo.close());

  it('is answered on all its next connections', async () => {
    const get = (key: string) =>
      head('GET /v1/demo-things HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`, 'Connection: close');
    const wrong = get('wrong').replace('Connection: close\r\n', '');
    expect(await exchange(demo.port, wrong.repeat(10))).toMatchObject({ status: 401, answers: 10 });
    const answers = await Promise.all(Array.from({ length: 4 }, () => exchange(demo.port, get('full'))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});
