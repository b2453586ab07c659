import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { FakeGroupLeases } from '../../../../test/kit/fakes/group-leases.js';
import { GroupMembers } from '../../ports/group-leases.port.js';
import { SharedLeases } from './leader-election.js';

const GROUPS = ['views-1of4', 'views-2of4', 'views-3of4', 'views-4of4'];
const FOR_MS = 10_000;
const POLL_MS = 1_000;

class FakeMembers extends GroupMembers {
  private readonly held = new Map<string, number>();

  async report(holder: string, held: number): Promise<number> {
    this.held.set(holder, held);
    return Math.min(...[...this.held].flatMap(([other, n]) => (other === holder ? [] : [n])));
  }
}

/** Instances that ask for each lease at each look, as elections do. */
class Instances {
  readonly clock = new ManualClock();
  private readonly store = new FakeGroupLeases(this.clock);
  private readonly members = new FakeMembers();
  private readonly leases = new Map<string, SharedLeases>();
  private readonly held = new Map<string, string>();

  start(name: string): void {
    this.leases.set(name, new SharedLeases(this.store, this.members, new Set(GROUPS), this.clock));
  }

  async looks(times: number): Promise<void> {
    for (let n = 0; n < times; n++) {
      for (const [name, leases] of this.leases)
        for (const group of GROUPS) await this.look(name, leases, group);
      this.clock.advance(POLL_MS);
    }
  }

  private async look(name: string, leases: SharedLeases, group: string): Promise<void> {
    const lease = await leases.acquire(group, name, FOR_MS);
    if (lease) this.held.set(group, name);
    else if (this.held.get(group) === name) {
      this.held.delete(group);
      await leases.release((await this.store.acquire(group, name, FOR_MS))!);
    }
  }

  /** Numbers of leases, largest first. */
  get counts(): readonly number[] {
    const counts = [...this.leases.keys()].map(
      (name) => [...this.held.values()].filter((holder) => holder === name).length,
    );
    return counts.sort((a, b) => b - a);
  }
}

describe('leases that instances share', () => {
  it('are all held by a single instance', async () => {
    const instances = new Instances();
    instances.start('a');
    await instances.looks(1);
    expect(instances.counts).toEqual([4]);
  });

  it.each([
    { started: ['a', 'b'], shares: [2, 2] },
    { started: ['a', 'b', 'c'], shares: [2, 1, 1] },
    { started: ['a', 'b', 'c', 'd'], shares: [1, 1, 1, 1] },
    { started: ['a', 'b', 'c', 'd', 'e'], shares: [1, 1, 1, 1, 0] },
  ])('are shared by $started.length that start one after the other', async ({ started, shares }) => {
    const instances = new Instances();
    for (const name of started) {
      instances.start(name);
      await instances.looks(12);
    }
    expect(instances.counts).toEqual(shares);
    await instances.looks(12);
    expect(instances.counts).toEqual(shares);
  });

  it('are taken at the second look although another instance holds fewer', async () => {
    const clock = new ManualClock();
    const members = new FakeMembers();
    await members.report('stands still', 0);
    const leases = new SharedLeases(new FakeGroupLeases(clock), members, new Set(GROUPS), clock);
    const acquire = (group: string) => leases.acquire(group, 'a', FOR_MS);
    expect(await acquire(GROUPS[0]!)).toBeDefined();
    expect(await acquire(GROUPS[1]!)).toBeUndefined();
    expect(await acquire(GROUPS[1]!)).toBeDefined();
  });

  it('are those of the named groups only', async () => {
    const clock = new ManualClock();
    const members = new FakeMembers();
    await members.report('other', 0);
    const leases = new SharedLeases(new FakeGroupLeases(clock), members, new Set(GROUPS), clock);
    await leases.acquire(GROUPS[0]!, 'a', FOR_MS);
    expect(await leases.acquire('timers', 'a', FOR_MS)).toBeDefined();
  });
});
