import { CallFailed } from './operator-client.js';
import { watch } from './watch.js';

/** A watch whose time passes only while it waits. */
class Watching {
  err = '';
  pauses: number[] = [];
  private at = 0;
  private sent = 0;
  private readonly time = {
    now: () => this.at,
    pause: async (ms: number) => {
      this.pauses.push(ms);
      this.at += ms;
    },
  };

  /** Each look takes so many requests. */
  async run(seconds: number, ask: () => object, requests = 1): Promise<number> {
    const watched = {
      ask: async () => {
        this.sent += requests;
        return ask();
      },
      sent: () => this.sent,
      wait: async (after: string, waited: number) => {
        this.at += waited * 1_000;
        return after;
      },
      show: String,
    };
    const streams = { out: () => undefined, err: (text: string) => void (this.err += text) };
    return watch(watched, seconds, streams, this.time);
  }
}

describe('the end of a watch', () => {
  it('ends with the refusal if the service still refuses', async () => {
    let refusals = 0;
    const refuse = () => {
      if (++refusals > 100) throw new Error('it does not end');
      throw new CallFailed('RATE_LIMIT_EXCEEDED (429)', 'Wait a minute.', 'RATE_LIMIT_EXCEEDED', 20);
    };
    const watching = new Watching();
    await expect(watching.run(60, refuse)).rejects.toThrow('RATE_LIMIT_EXCEEDED (429)');
    expect(watching.err).toBe('rps: RATE_LIMIT_EXCEEDED (429); again in 20 s\n'.repeat(3));
  });

  it.each([
    [60, 'watched for 60 s; --for SECONDS watches longer\n'],
    [100_000, 'watched for 86400 s\n'],
  ])('says after --for %i how long it was', async (seconds, said) => {
    const watching = new Watching();
    expect(await watching.run(seconds, () => ({}))).toBe(0);
    expect(watching.err).toBe(said);
  });
});

it('waits two seconds for each request of a look', async () => {
  const watching = new Watching();
  await watching.run(50, () => ({}), 10);
  expect(watching.pauses).toEqual([20_000, 20_000]);
});
