import type { Milliseconds } from '../../src/kernel/time.js';
import type { Disasters } from './scenarios.js';
import type { Run } from './run.js';

type Disaster = (run: Run) => void;

const SECOND: Milliseconds = 1_000;
const MOST_EVENTS_LOST = 200;
const OUTAGE_MS = 5 * SECOND;

/** Plans every disaster of the scenario, again and again while it storms. */
export function plan(run: Run): void {
  for (const [name, averageMs] of Object.entries(run.scenario.disasters) as [keyof Disasters, Milliseconds][])
    again(run, name, averageMs);
  const { log, readServer } = run.world.servers;
  const { outageAfter } = run.scenario;
  if (outageAfter === undefined) return;
  log.listen(() => {
    const isNow = run.isStormy && log.events.at(-1)!.type === outageAfter;
    if (isNow) readServer.downUntil = run.world.sim.now + upTo(run, OUTAGE_MS);
  });
}

function again(run: Run, name: keyof Disasters, averageMs: Milliseconds): void {
  const { sim } = run.world;
  sim.after(-Math.log(1 - sim.random.next()) * averageMs, '', () => {
    if (!run.isStormy) return;
    sim.trace.add(sim.now, `disaster: ${name}`);
    DISASTERS[name](run);
    again(run, name, averageMs);
  });
}

const upTo = (run: Run, ms: Milliseconds) => run.world.sim.random.next() * ms;
const anyComputer = (run: Run) => run.world.sim.random.of(run.computers);
const anyInstance = (run: Run) => run.world.sim.random.below(run.scenario.instances);

function copyLater(run: Run, { isStandIn }: { isStandIn: boolean }): void {
  const original = anyComputer(run);
  const afterMs = upTo(run, 60 * SECOND);
  const forMs = upTo(run, 120 * SECOND);
  if (isStandIn) original.standIn(afterMs, forMs);
  else original.clone(afterMs, forMs);
}

const DISASTERS: Readonly<Record<keyof Disasters, Disaster>> = {
  instanceCrash: (run) => run.restartInstance(anyInstance(run)),
  /** Most are back at once, while their last calls are on the way. */
  agentCrash: (run) => anyComputer(run).crashAgent(run.world.sim.random.next() ** 3 * 20 * SECOND),
  agentDown: (run) => anyComputer(run).crashAgent(upTo(run, 1_800 * SECOND)),
  agentCut: (run) => {
    const { world } = run;
    world.offlineUntil.set(anyComputer(run).name, world.sim.now + upTo(run, 900 * SECOND));
  },
  spoolerRestart: (run) => anyComputer(run).spooler.restart(),
  logFreeze: ({ world }) => {
    world.servers.eventServer.frozenUntil = world.sim.now + world.sim.random.next() * 20 * SECOND;
  },
  logDown: ({ world }) => {
    world.servers.eventServer.downUntil = world.sim.now + world.sim.random.next() * 30 * SECOND;
    for (const { stores } of world.instances) stores.connection?.drop();
  },
  databaseFreeze: ({ world }) => {
    world.servers.readServer.frozenUntil = world.sim.now + world.sim.random.next() * 20 * SECOND;
  },
  subscriptionDrop: ({ world }) => {
    for (const { stores } of world.instances) if (world.sim.random.chance(0.5)) stores.connection?.drop();
  },
  suspension: (run) => run.suspend(upTo(run, 60 * SECOND)),
  clone: (run) => void anyComputer(run).clone(0, upTo(run, 600 * SECOND)),
  oldClone: (run) => copyLater(run, { isStandIn: false }),
  standIn: (run) => copyLater(run, { isStandIn: true }),
  computerLost: (run) => {
    // One is left to print.
    if (run.computers.length > 1) run.computers.pop()!.lose();
  },
  diskFull: (run) => {
    const { eventServer, readServer } = run.world.servers;
    const server = run.world.sim.random.of([eventServer, readServer]);
    server.fullUntil = run.world.sim.now + upTo(run, 60 * SECOND);
  },
  powerCut: (run) => run.world.folder?.cutPower(() => run.restartInstance(0)),
  flippedBit: (run) => {
    run.world.folder?.flipBit();
    run.restartInstance(0);
  },
  laggingStart: (run) => {
    const { servers, sim } = run.world;
    servers.readServer.fullUntil = sim.now + 20 * SECOND + upTo(run, 40 * SECOND);
    sim.after(10 * SECOND, '', () => run.restartInstance(anyInstance(run)));
  },
  rollback: (run) => run.rollBack(run.world.sim.random.below(MOST_EVENTS_LOST)),
  cut: ({ world }) => {
    const { instances, sim } = world;
    if (instances.length === 0) return;
    const { links } = sim.random.of(instances).stores;
    if (!links) return;
    const link = sim.random.chance(0.5) ? links.log : links.db;
    link.cutUntil = sim.now + sim.random.next() * 30 * SECOND;
  },
};
