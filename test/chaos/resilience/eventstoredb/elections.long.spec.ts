import { v7 } from 'uuid';
import { SystemRandomness } from '../../../../src/app/system/system-randomness.js';
import { AggregateStore, type Aggregate } from '../../../../src/event-sourcing/write/aggregate-store.js';
import { accept } from '../../../../src/kernel/decider.js';
import type { Issued } from '../../../../src/kernel/command.js';
import type { EventStore } from '../../../../src/event-sourcing/ports/event-store.port.js';
import { begin, written } from '../../../contract/sample-appends.js';
import { metadata } from '../../../kit/recorded.js';
import { appendUntilKnown, scene } from './scene.js';

type Noted = { type: 'Noted'; data: Record<string, never> };
const notes: Aggregate<number, Issued, Noted, never> = {
  category: 'note',
  decider: {
    initialState: 0,
    decide: () => accept({ type: 'Noted', data: {} }),
    evolve: (count) => count + 1,
  },
};
const note: Issued = { at: metadata.at, by: metadata };
const CLIENTS = 8;
/** As the service reads, and as long as one command may take. */
const REPEAT_READS_FOR_MS = 8_000;

describe('a cluster of three that loses its leader', () => {
  const the = scene({ members: 3 });
  const opened = () => the.open({ repeatReadsForMs: REPEAT_READS_FOR_MS });
  afterEach(() => the.server.comeBack());

  it('answers every command during an election, and writes each once', async () => {
    const { store, outages } = opened();
    // Reads the newest state for each command, so it needs no notification of other writers.
    const events = Object.assign(store as unknown as EventStore, { listen: () => () => undefined });
    const aggregates = new AggregateStore(events, new SystemRandomness(), { shared: true });
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      const id = v7();
      let commands = 0;
      for (; !isOver || commands < 20; commands++) await aggregates.execute(notes, id, note);
      return { id, commands };
    });
    await the.server.killLeader();
    await the.server.leaderPort();
    isOver = true;

    for (const { id, commands } of await Promise.all(clients)) {
      expect(await store.load(`note-${id}`)).toHaveLength(commands);
    }
    expect(outages).toEqual(['began', 'ended']);
  });

  it('accepts a write soon after the cluster has replaced a frozen leader', async () => {
    const { store } = opened();
    const listener = await the.listen(store, { after: 'end' }).caughtUp();
    await the.server.freezeLeader();
    const frozen = performance.now();
    const append = begin(`note-${v7()}`, written());
    const writing = appendUntilKnown(store, append).then(() => performance.now());
    await the.server.leaderPort();
    const elected = performance.now();
    const accepted = await writing;
    await listener.hears(append.stream);
    const seconds = (ms: number) => (ms / 1000).toFixed(1);
    process.stdout.write(
      `frozen leader: elected after ${seconds(elected - frozen)} s, first write after ${seconds(accepted - frozen)} s, ` +
        `heard after ${seconds(performance.now() - frozen)} s\n`,
    );

    expect(accepted - elected).toBeLessThan(4_000);
  });
});
