import type { Position } from '../../src/kernel/recorded-event.js';
import { CheckpointStore } from '../../src/event-sourcing/ports/event-store.port.js';
import { GroupLeases, type GroupLease, Locks } from '../../src/event-sourcing/ports/group-leases.port.js';
import { expectTheFurthestOfEachName } from './checkpoint-store.contract.js';
import { expectOneHolderOfEachGroup } from './group-leases.contract.js';
import { expectOneHolderOfEachKey } from './locks.contract.js';

/** Calls that a new connection serialises, as the first calls of a driver. */
const COLD_CALLS = 10;

/** Loses one of two first writes of a key that meet, as engines do whose upsert is not atomic. */
class LossyRows<Row> {
  private readonly rows = new Map<string, Row>();
  private calls = 0;

  get(key: string): Row | undefined {
    return this.rows.get(key);
  }

  async upsert(key: string, change: (before: Row | undefined) => Row): Promise<Row> {
    const before = this.rows.get(key);
    if (before === undefined && (this.calls += 1) > COLD_CALLS) await new Promise(setImmediate);
    const row = change(before);
    this.rows.set(key, row);
    return row;
  }

  delete(key: string): void {
    this.rows.delete(key);
  }
}

class DoublingLeases extends GroupLeases {
  private readonly rows = new LossyRows<GroupLease>();

  async acquire(group: string, holder: string): Promise<GroupLease | undefined> {
    const held = await this.rows.upsert(group, (before) => before ?? { group, holder, epoch: 1 });
    return held.holder === holder ? held : undefined;
  }

  async release({ group }: GroupLease): Promise<void> {
    this.rows.delete(group);
  }
}

class DoublingLocks extends Locks {
  constructor(private readonly rows: LossyRows<Locks>) {
    super();
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    while ((await this.rows.upsert(key, (before) => before ?? this)) !== this)
      await new Promise((resolve) => setTimeout(resolve, 1));
    try {
      return await work();
    } finally {
      this.rows.delete(key);
    }
  }
}

class LosingCheckpoints implements Pick<CheckpointStore, 'get' | 'put'> {
  private readonly rows = new LossyRows<Position>();

  async get(name: string): Promise<Position | undefined> {
    return this.rows.get(name);
  }

  async put(name: string, position: Position): Promise<void> {
    await this.rows.upsert(name, (before) => (before !== undefined && before > position ? before : position));
  }
}

describe('the contracts of a store that loses one of two first writes', () => {
  it('fail when a lease is given to two holders', async () => {
    const leases = new DoublingLeases();

    await expect(expectOneHolderOfEachGroup([leases, leases])).rejects.toThrow('fresh-');
  });

  it('fail when a lock is given to two holders', async () => {
    const rows = new LossyRows<Locks>();
    const instances = [new DoublingLocks(rows), new DoublingLocks(rows)];

    await expect(expectOneHolderOfEachKey(instances)).rejects.toThrow('fresh-');
  });

  it('fail when a checkpoint loses the furthest position', async () => {
    const checkpoints = new LosingCheckpoints();

    await expect(expectTheFurthestOfEachName([checkpoints, checkpoints])).rejects.toThrow('toEqual');
  });
});
