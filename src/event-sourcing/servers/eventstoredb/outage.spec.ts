import { Outage, type OutageSummary } from './outage.js';

function watched() {
  let now = 0;
  const begun: unknown[] = [];
  const ended: OutageSummary[] = [];
  const outage = new Outage(
    { outageBegan: (reason) => begun.push(reason), outageEnded: (summary) => ended.push(summary) },
    () => now,
  );
  return { outage, begun, ended, passes: (ms: number) => (now += ms) };
}
const down = new Error('down');

describe('an outage of the event store', () => {
  it('is reported once when it begins and once when it ends, with counts', () => {
    const { outage, begun, ended, passes } = watched();
    const calls = outage.member('calls');
    for (let n = 0; n < 3; n++) calls.failed(down);
    outage.interrupted();
    outage.clientReplaced();
    passes(2_500);
    calls.succeeded();
    calls.succeeded();
    expect(begun).toEqual([down]);
    expect(ended).toEqual([{ lastedMs: 2_500, failedCalls: 3, interruptions: 1, clientsReplaced: 1 }]);
  });

  it('ends when each connection that failed was answered', () => {
    const { outage, begun, ended } = watched();
    const [calls, subscriptions] = [outage.member('calls'), outage.member('subscriptions')];
    calls.failed(down);
    subscriptions.failed(down);
    calls.succeeded();
    calls.failed(down);
    calls.succeeded();
    expect(ended).toEqual([]);
    subscriptions.succeeded();
    expect([begun.length, ended.length]).toEqual([1, 1]);
  });

  it('wakes the waiting subscription when calls are answered again', async () => {
    const { outage } = watched();
    const calls = outage.member('calls');
    calls.failed(down);
    const waited = outage.nextRecovery(3_600_000, new AbortController().signal);
    calls.succeeded();
    expect(await waited).toBeUndefined();
  });

  it('does not wake a subscription when another one on its connection is answered', async () => {
    const { outage } = watched();
    const [calls, subscriptions] = [outage.member('calls'), outage.member('subscriptions')];
    let isAwake = false;
    const waited = outage.nextRecovery(3_600_000, new AbortController().signal, 'subscriptions');
    void waited.then(() => (isAwake = true));
    subscriptions.failed(down);
    subscriptions.succeeded();
    await Promise.resolve();
    expect(isAwake).toBe(false);
    calls.failed(down);
    calls.succeeded();
    await waited;
  });

  it('ends a wait when it is stopped', async () => {
    const { outage } = watched();
    const stop = new AbortController();
    const waited = outage.nextRecovery(3_600_000, stop.signal);
    stop.abort();
    expect(await waited).toBeUndefined();
    expect(await outage.nextRecovery(3_600_000, stop.signal)).toBeUndefined();
  });
});
