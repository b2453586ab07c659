import { ManualClock } from '../../../test/kit/manual-clock.js';
import { recorded } from '../../../test/kit/recorded.js';
import type { EventStore } from '../../event-sourcing/index.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { WebhookPayloads } from '../webhooks/index.js';
import { AlertSignals } from './alert-signals.js';
import type { AlertWatch } from './alert-watch.js';
import type { AlertFacts } from './ports.js';

type Appended = (events: readonly RecordedEvent[]) => void;

function scene(failing?: string) {
  const clock = new ManualClock();
  const looks: string[] = [];
  const errors: unknown[] = [];
  let appended: Appended = () => undefined;
  const watch = {
    look: (accountId: string, memberId: string) => Promise.resolve(looks.push(`${memberId} of ${accountId}`)),
    idle: () => Promise.resolve(),
  };
  const watchers = (accountId: string) =>
    accountId === failing ? Promise.reject(new Error('unreadable')) : Promise.resolve(['bea', 'carl']);
  const signals = new AlertSignals(
    {
      listen: (listener: { appended: Appended }) => void (appended = listener.appended),
    } as never as EventStore,
    { accountOf: ({ stream }: RecordedEvent) => Promise.resolve(stream) } as never as WebhookPayloads,
    { watchers } as never as AlertFacts,
    watch as never as AlertWatch,
    clock,
    { mail: undefined, publicUrl: undefined, onError: (error) => errors.push(error) },
  );
  signals.start();
  const fail = (account: string) => appended(recorded(account, { type: 'JobFailed', data: {} }) as never);
  const pass = async (ms: number) => {
    clock.advance(ms);
    for (let n = 0; n < 10; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { fail, pass, looks, errors };
}

describe('looking for alerts when something happens', () => {
  it('looks for every member soon, and at an account again after five seconds', async () => {
    const { fail, pass, looks } = scene();
    fail('a');
    await pass(500);
    expect(looks).toEqual(['bea of a', 'carl of a']);
    fail('a');
    await pass(4_999);
    expect(looks).toHaveLength(2);
    await pass(1);
    expect(looks).toHaveLength(4);
  });

  it('goes on after an account that fails', async () => {
    const { fail, pass, looks, errors } = scene('a');
    fail('a');
    fail('b');
    await pass(500);
    expect(looks).toEqual(['bea of b', 'carl of b']);
    expect(errors).toHaveLength(1);
  });
});
