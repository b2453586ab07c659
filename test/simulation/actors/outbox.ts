import type { Milliseconds } from '../../../src/kernel/time.js';
import type { Answered } from '../api.js';
import { ProgramClock, type Program } from '../engine/program.js';
import type { World } from '../world.js';
import { reportOf, type AgentDisk, type Held, type Report } from './agent-disk.js';

const GATHERED_MS: Milliseconds = 1_000;
const MAX_EVENTS = 20;

/** Reports of one run of an Agent, which stay on its disk until they are answered. */
export class Outbox {
  private wake = () => {};

  constructor(
    private readonly world: World,
    private readonly program: Program,
    private readonly disk: AgentDisk,
  ) {}

  add(held: Held, type: string, details: object): void {
    const event_id = this.world.sim.uuid();
    const occurred_at = new ProgramClock(this.program).now();
    this.disk.outbox.set(event_id, { event_id, occurred_at, ...reportOf(held, type, details) });
    const { document_name: document } = held.lease;
    this.world.history.reports.set(event_id, { type, document, sessions: new Set() });
    this.wake();
  }

  async run(
    send: (events: readonly Report[]) => Promise<Answered>,
    pause: () => Promise<void>,
  ): Promise<never> {
    const { outbox } = this.disk;
    for (;;) {
      if (outbox.size === 0) await new Promise<void>((resolve) => (this.wake = resolve));
      await this.program.sleep(GATHERED_MS);
      const { status, data } = await send([...outbox.values()].slice(0, MAX_EVENTS));
      if (status === 200) this.answered(data.results as { event_id: string }[]);
      else await pause();
    }
  }

  private answered(results: readonly { event_id: string }[]): void {
    for (const { event_id, ...result } of results) {
      this.world.history.reported(this.disk.outbox.get(event_id)!, result);
      this.disk.outbox.delete(event_id);
    }
  }
}
