import { Faults } from '../../../../test/kit/faults.js';
import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { passing, settled } from '../../../../test/kit/settled.js';
import type { SingletonWorker, GroupLease, GroupLeases } from '../../ports/group-leases.port.js';
import { LeaderElection } from './leader-election.js';
import { FakeGroupLeases } from '../../../../test/kit/fakes/group-leases.js';

function world() {
  const clock = new ManualClock();
  const shared = new FakeGroupLeases(clock);
  const instance = (holder: string) => {
    const leases = new Faults<GroupLeases>(shared);
    const errors: unknown[] = [];
    const changes: boolean[] = [];
    const terms: { lease: GroupLease; signal: AbortSignal }[] = [];
    const leadership = new LeaderElection(leases.port, clock, {
      group: 'views',
      holder,
      onError: (error) => errors.push(error),
      onChange: (leading) => changes.push(leading),
    });
    const worker: SingletonWorker = {
      run(lease, signal) {
        terms.push({ lease, signal });
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    };
    const start = (work: SingletonWorker = worker) => leadership.start(work);
    /** Leads now. */
    const leads = () => changes.at(-1) === true;
    return { leadership, leases, errors, changes, terms, start, leads };
  };
  return { clock, shared, instance };
}

describe('leader election', () => {
  it('has one leader while its lease is renewed', async () => {
    const { clock, instance } = world();
    const [a, b] = [instance('a'), instance('b')];
    a.start();
    await settled();
    b.start();
    await passing(clock, 60_000, 500);

    expect([a.changes, b.changes]).toEqual([[true], []]);
    await Promise.all([a.leadership.stop(), b.leadership.stop()]);
  });

  it('takes over from a dead holder within 15 s', async () => {
    const { clock, shared, instance } = world();
    await shared.acquire('views', 'dead', 10_000);
    const b = instance('b');
    b.start();
    await passing(clock, 9_500);
    expect(b.leads()).toBe(false);
    await passing(clock, 2_000);

    expect(b.leads()).toBe(true);
    await b.leadership.stop();
  });

  it('takes over at once from a stopping holder', async () => {
    const { clock, instance } = world();
    const [a, b] = [instance('a'), instance('b')];
    a.start();
    await settled();
    b.start();
    await settled();
    await a.leadership.stop();
    expect(a.changes).toEqual([true, false]);
    await passing(clock, 1_000);

    expect(b.leads()).toBe(true);
    expect(b.terms[0]!.lease.epoch).toBeGreaterThan(a.terms[0]!.lease.epoch);
    await b.leadership.stop();
  });

  it('leaves no pending timers after a stop', async () => {
    const { clock, instance } = world();
    const a = instance('a');
    a.start();
    await passing(clock, 30_000, 500);
    await a.leadership.stop();

    expect(clock.pending).toBe(0);
  });
});

describe('losing the lease', () => {
  it('stops the worker when another instance holds the lease', async () => {
    const { clock, shared, instance } = world();
    const a = instance('a');
    a.start();
    await settled();
    const { lease, signal } = a.terms[0]!;
    await shared.release(lease);
    await shared.acquire('views', 'b', 60_000);
    await passing(clock, 2_500);

    expect(signal.aborted).toBe(true);
    expect(a.changes).toEqual([true, false]);
    await a.leadership.stop();
  });

  it('stops the worker when another instance held the lease for a moment', async () => {
    const { clock, shared, instance } = world();
    const a = instance('a');
    a.start();
    await settled();
    const { lease, signal } = a.terms[0]!;
    await shared.release(lease);
    await shared.acquire('views', 'b', 1_000);
    await passing(clock, 2_500);

    expect(signal.aborted).toBe(true);
    await a.leadership.stop();
  });

  it('stops the worker before the lease can expire while the store does not answer', async () => {
    const { clock, instance } = world();
    const a = instance('a');
    a.start();
    await settled();
    a.leases.refuse('acquire', 100);
    await passing(clock, 7_500);
    expect(a.leads()).toBe(true);
    await passing(clock, 1_000);

    expect(a.terms[0]!.signal.aborted).toBe(true);
    expect(a.errors.length).toBeGreaterThan(1);
    await a.leadership.stop();
  });

  it('stops the worker in time while a renewal is pending', async () => {
    const { clock, instance } = world();
    const a = instance('a');
    a.start();
    await settled();
    const held = a.leases.hold('acquire');
    await passing(clock, 9_000);

    expect(a.terms[0]!.signal.aborted).toBe(true);
    expect(a.leads()).toBe(false);
    held.letGo();
    await a.leadership.stop();
  });

  it('counts a lease from the request, not from a late answer', async () => {
    const { clock, instance } = world();
    const a = instance('a');
    a.start();
    await settled();
    const held = a.leases.hold('acquire');
    await passing(clock, 7_000);
    held.letGo();
    await settled();
    a.leases.refuse('acquire', 100);
    await passing(clock, 3_400);
    expect(a.leads()).toBe(true);
    await passing(clock, 200);

    expect(a.leads()).toBe(false);
    await a.leadership.stop();
  });

  it('is not assumed after a single unanswered renewal', async () => {
    const { clock, instance } = world();
    const a = instance('a');
    a.start();
    await settled();
    a.leases.refuse('acquire', 2);
    await passing(clock, 60_000, 500);

    expect(a.changes).toEqual([true]);
    await a.leadership.stop();
  });

  it('is assumed when the answer comes too late', async () => {
    const { clock, instance } = world();
    const a = instance('a');
    const held = a.leases.hold('acquire');
    a.start();
    await held.reached;
    await passing(clock, 9_000, 1_000);
    held.letGo();
    await settled();
    expect(a.terms).toEqual([]);
    await passing(clock, 1_000);

    expect(a.leads()).toBe(true);
    await a.leadership.stop();
  });
});

describe('a singleton worker', () => {
  it('is reported and restarted when it throws', async () => {
    const { clock, instance } = world();
    const a = instance('a');
    let runs = 0;
    a.start({
      async run() {
        runs++;
        throw new Error('no luck');
      },
    });
    await passing(clock, 3_000);

    expect(runs).toBe(4);
    expect(a.errors).toHaveLength(4);
    await a.leadership.stop();
  });

  it('releases its lease when it ends', async () => {
    const { clock, instance } = world();
    const [a, b] = [instance('a'), instance('b')];
    a.start({ run: async () => undefined });
    await settled();
    b.start();
    await passing(clock, 1_000);

    expect(b.leads()).toBe(true);
    await Promise.all([a.leadership.stop(), b.leadership.stop()]);
  });

  it('is not started when a stop arrives during the lease request', async () => {
    const { shared, instance } = world();
    const a = instance('a');
    const held = a.leases.hold('acquire');
    a.start();
    await held.reached;
    const stopped = a.leadership.stop();
    held.letGo();
    await stopped;

    expect([a.terms, a.changes]).toEqual([[], []]);
    expect(await shared.acquire('views', 'b', 1_000)).toBeDefined();
  });

  it('is awaited before its lease is released', async () => {
    const { clock, shared, instance } = world();
    const a = instance('a');
    let finish = () => {};
    a.start({ run: () => new Promise((resolve) => (finish = resolve)) });
    await settled();
    const stopped = a.leadership.stop();
    await passing(clock, 1_000);
    expect(await shared.acquire('views', 'b', 1_000)).toBeUndefined();
    finish();
    await stopped;

    expect(await shared.acquire('views', 'b', 1_000)).toBeDefined();
  });
});
