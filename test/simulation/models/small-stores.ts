import type { Position } from '../../../src/kernel/recorded-event.js';
import { UnavailableError } from '../../../src/kernel/errors.js';
import { later, type Instant, type Milliseconds } from '../../../src/kernel/time.js';
import { CheckpointStore } from '../../../src/event-sourcing/ports/event-store.port.js';
import { Locks, type GroupLeases } from '../../../src/event-sourcing/ports/group-leases.port.js';
import { IndexBlocks, type IndexBlock } from '../../../src/event-sourcing/ports/index-blocks.port.js';
import { LivenessStore } from '../../../src/event-sourcing/ports/liveness-store.port.js';
import { KeyedMutex } from '../../../src/async/keyed-mutex.js';
import type { Program } from '../engine/program.js';

export class MemoryLiveness extends LivenessStore {
  private readonly heartbeats = new Map<string, Instant>();

  async recordHeartbeat(keys: readonly string[], at: Instant): Promise<void> {
    for (const key of keys) this.heartbeats.set(key, later(at, this.heartbeats.get(key) ?? at));
  }

  async lastHeartbeats(keys: readonly string[]): Promise<readonly (Instant | undefined)[]> {
    return keys.map((key) => this.heartbeats.get(key));
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.heartbeats.delete(key);
  }
}

export class MemoryCheckpoints extends CheckpointStore {
  private readonly texts = new Map<string, string>();

  async get(name: string): Promise<Position | undefined> {
    return this.texts.get(name);
  }

  async put(name: string, position: Position): Promise<void> {
    if ((this.texts.get(name) ?? '') < position) this.texts.set(name, position);
  }

  async replace(name: string, before: string | undefined, text: string): Promise<boolean> {
    if (this.texts.get(name) !== before) return false;
    this.texts.set(name, text);
    return true;
  }
}

export class MemoryBlocks extends IndexBlocks {
  private readonly blocks = new Map<string, IndexBlock[]>();

  async from(owner: string, position: Position, max: number): Promise<readonly IndexBlock[]> {
    const all = this.blocks.get(owner) ?? [];
    const before = all.findLastIndex(({ first }) => first <= position);
    return all.slice(Math.max(0, before)).slice(0, max);
  }

  async newest(owners: readonly string[]): Promise<readonly IndexBlock[]> {
    return owners.flatMap((owner) => this.blocks.get(owner)?.at(-1) ?? []);
  }

  async put(blocks: readonly IndexBlock[]): Promise<void> {
    for (const block of blocks) {
      const others = (this.blocks.get(block.owner) ?? []).filter(({ first }) => first !== block.first);
      const stored = this.blocks.get(block.owner)?.find(({ first }) => first === block.first);
      if (stored && stored.count >= block.count) continue;
      this.blocks.set(
        block.owner,
        [...others, block].sort((a, b) => (a.first < b.first ? -1 : 1)),
      );
    }
  }

  async clear(before: string): Promise<void> {
    for (const owner of [...this.blocks.keys()]) if (owner < before) this.blocks.delete(owner);
  }
}

const HELD_MS: Milliseconds = 10_000;
const WAIT_MS: Milliseconds = 4_500;
const LONGEST_PAUSE_MS: Milliseconds = 40;

/** As the locks of MongoDB: work that took longer than its lock fails, although it may have had its effect. */
export class SharedLocks extends Locks {
  private readonly mutex = new KeyedMutex();

  /** @param leases of the locks, which expire by the clock of the store */
  constructor(
    private readonly program: Program,
    private readonly leases: GroupLeases,
  ) {
    super();
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.mutex.run(key, async () => {
      const { sim } = this.program;
      const { lease, until } = await this.take(key, sim.now + WAIT_MS);
      try {
        const result = await work();
        if (sim.now >= until) throw new UnavailableError(`the lock ${key} was lost during the work`);
        return result;
      } finally {
        await this.leases.release(lease).catch(() => undefined);
      }
    });
  }

  private async take(key: string, deadline: Milliseconds) {
    const { sim } = this.program;
    const holder = sim.uuid();
    for (; ; await this.program.sleep(1 + sim.random.next() * LONGEST_PAUSE_MS)) {
      const until = sim.now + HELD_MS;
      if (sim.now >= deadline)
        throw new UnavailableError(`the lock ${key} is held by another instance`, 'not_written');
      const lease = await this.leases.acquire(key, holder, HELD_MS);
      if (lease) return { lease, until };
    }
  }
}
