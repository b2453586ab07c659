import type { Milliseconds } from '../../src/kernel/time.js';
import { Agent } from './actors/agent.js';
import { AgentDisk } from './actors/agent-disk.js';
import { Spooler } from './actors/spooler.js';
import type { Scenario } from './scenarios.js';
import type { World } from './world.js';

export const PRINTERS = 2;
const RESTART_MS: Milliseconds = 3_000;
/** After which it is back online, once its copy has started. */
const BACK_MS: Milliseconds = 20_000;
/** A document that the original handed off is not in the spooler of its copy, which proves nothing. */
const CLONE_EPOCH = -1;

export class Computer {
  readonly spooler: Spooler;
  private agent: Agent | undefined;
  private isLost = false;

  constructor(
    private readonly world: World,
    private readonly scenario: Scenario,
    readonly name: string,
    readonly disk: AgentDisk,
    private readonly printers = Array.from({ length: PRINTERS }, (_, n) => printerOf(`${name}-p${n}`)),
  ) {
    const { sim, history } = world;
    this.spooler = new Spooler(sim, scenario.spooler, (document) => history.submitted(name, document));
  }

  startAgent(): void {
    const { world, scenario } = this;
    if (this.agent?.program.isAlive || this.isLost) return;
    const skew = world.skewUpTo(scenario.skewMs);
    this.agent = new Agent(world, this, scenario.agent, skew);
    this.agent.run(this.printers).then(
      (why) => why !== 'revoked' && this.startLater(RESTART_MS * (1 + 20 * world.sim.random.next())),
      (error: unknown) => world.sim.fail(error as Error),
    );
  }

  crashAgent(downMs: Milliseconds): void {
    this.agent?.program.crash();
    this.startLater(downMs);
  }

  /** For ever. */
  lose(): void {
    this.isLost = true;
    this.agent?.program.crash();
  }

  /** Copies the disk, and starts an Agent with the copy on another machine, for a while. */
  clone(afterMs: Milliseconds, forMs: Milliseconds): Computer {
    const name = `${this.name}+${this.world.sim.steps}`;
    const clone = new Computer(this.world, this.scenario, name, this.disk.clone(), this.printers);
    clone.spooler.epoch = CLONE_EPOCH;
    clone.startLater(afterMs);
    this.world.sim.after(afterMs + forMs, '', () => clone.lose());
    return clone;
  }

  /** A copy with its spooler starts while the original has no network, which then comes back. */
  standIn(afterMs: Milliseconds, forMs: Milliseconds): void {
    const { offlineUntil, sim } = this.world;
    this.clone(afterMs, forMs).spooler.copy(this.spooler);
    offlineUntil.set(this.name, sim.now + afterMs + sim.random.next() * BACK_MS);
  }

  private startLater(ms: Milliseconds): void {
    this.world.sim.after(ms, '', () => this.startAgent());
  }
}

const printerOf = (printer_key: string) => ({
  ...{ printer_key, name: printer_key, is_default: false, is_virtual: true, online: true },
  capabilities: { content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: ['A4'] },
});
