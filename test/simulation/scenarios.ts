import type { PublicEventType } from '../../src/contexts/webhooks/index.js';
import type { CustomerHabits } from './actors/customer.js';
import type { ReceiverHabits } from './actors/receivers.js';
import type { SpoolerHabits } from './actors/spooler.js';
import { NO_FAULTS, type NetworkFaults } from './engine/link.js';
import type { Milliseconds } from '../../src/kernel/time.js';

export interface AgentHabits {
  /** Shares of the documents. */
  readonly rejects: number;
  /** Before it accepts them. */
  readonly rejectsAtOnce?: number;
  readonly doesNotSubmit: number;
  /** Of the jobs: at no attempt. */
  readonly neverPrints: number;
  readonly releases: number;
  /** Accepted, handed off or released within a second of its expiry. */
  readonly lastMoment: number;
  /** Its accept and hand-off are asked for again, by this run of the Agent or the next. */
  readonly asksAgain: number;
  /** Reported as not submitted at first, although the spooler has it; of every second one only the end follows. */
  readonly mistakes: number;
  /** It crashes while it waits for a permit, and is back at once. */
  readonly diesAsking: number;
  /** A copy of the computer from before the job starts while it asks for a permit. */
  readonly copiedAsking?: number;
  /** It loses its network with a permit, and a copy starts. */
  readonly copiedHolding?: number;
  readonly longestHandOffMs: Milliseconds;
}

/** Average time between two faults of a kind; absent: none. */
export interface Disasters {
  readonly instanceCrash?: Milliseconds;
  readonly agentCrash?: Milliseconds;
  readonly spoolerRestart?: Milliseconds;
  readonly agentDown?: Milliseconds;
  /** The computer loses its network, and its Agent goes on. */
  readonly agentCut?: Milliseconds;
  readonly logFreeze?: Milliseconds;
  readonly logDown?: Milliseconds;
  readonly databaseFreeze?: Milliseconds;
  readonly subscriptionDrop?: Milliseconds;
  readonly cut?: Milliseconds;
  readonly suspension?: Milliseconds;
  /** A copy of a computer runs beside it. */
  readonly clone?: Milliseconds;
  /** It starts after a while. The original must not be silent, as a restarted one would be. */
  readonly oldClone?: Milliseconds;
  /** A copy with its spooler starts while the original has no network, which then comes back. */
  readonly standIn?: Milliseconds;
  /** A computer never comes back. */
  readonly computerLost?: Milliseconds;
  /** The read database takes no writes, so views lag; an instance starts meanwhile. */
  readonly laggingStart?: Milliseconds;
  /** An older copy of the event log is put back. */
  readonly rollback?: Milliseconds;
  /** A store takes no writes. */
  readonly diskFull?: Milliseconds;
  /** The disk of the embedded stores loses its power during a commit. */
  readonly powerCut?: Milliseconds;
  /** Beside a crash, a bit of a copy of the disk is flipped. */
  readonly flippedBit?: Milliseconds;
}

/** A world to run. */
export interface Scenario {
  readonly instances: number;
  readonly accounts: number;
  readonly computers: number;
  /** Public types that the webhooks get; absent: all. */
  readonly webhookTypes?: readonly PublicEventType[] | undefined;
  /** Largest difference of a wall clock, either way. */
  readonly skewMs: Milliseconds;
  readonly customer: CustomerHabits;
  readonly agent: AgentHabits;
  readonly spooler: SpoolerHabits;
  readonly receiver: ReceiverHabits;
  /** Of the stores. */
  readonly stores: NetworkFaults;
  /** Between callers and instances. */
  readonly network: NetworkFaults;
  readonly disasters: Disasters;
  /** The read database is out of reach just after such an event is stored. */
  readonly outageAfter?: string;
  readonly env: Readonly<Record<string, string>>;
}

const MINUTE: Milliseconds = 60_000;
const HOUR: Milliseconds = 60 * MINUTE;

/** What most clients ask for: the ends of jobs. */
const ENDS: readonly PublicEventType[] = [
  ...(['job.spooler_completed', 'job.failed', 'job.manual_review', 'job.cancelled', 'job.expired'] as const),
];

const shop: Scenario = {
  instances: 1,
  accounts: 1,
  computers: 2,
  webhookTypes: ENDS,
  skewMs: 0,
  customer: {
    everyMs: 4_000,
    jobs: 300,
    repeats: 0.1,
    cancels: 0.15,
    retries: 0.5,
    conflicts: 0.03,
    hurried: 0.15,
  },
  agent: {
    ...{ rejects: 0.02, doesNotSubmit: 0.06, neverPrints: 0.05, releases: 0.03, longestHandOffMs: 25_000 },
    ...{ lastMoment: 0.1, asksAgain: 0.1, mistakes: 0.03, diesAsking: 0.01 },
  },
  spooler: { longestMs: 60_000, aborts: 0.03, cancels: 0.04 },
  receiver: { fails: 0.1, hangs: 0.02, unanswered: 0.03 },
  stores: { refused: 0.002, lost: 0.001, unanswered: 0.003, late: 0.002, slow: 0.01, slowMs: 1_500 },
  network: { refused: 0, lost: 0.01, unanswered: 0.02, late: 0, slow: 0.02, slowMs: 3_000 },
  disasters: {
    instanceCrash: 10 * MINUTE,
    agentCrash: 4 * MINUTE,
    spoolerRestart: 30 * MINUTE,
    agentDown: 40 * MINUTE,
    agentCut: 5 * MINUTE,
    subscriptionDrop: 10 * MINUTE,
  },
  env: {},
};

const partner: Scenario = {
  ...shop,
  webhookTypes: undefined,
  ...{ instances: 3, accounts: 4, computers: 1, skewMs: 3_000 },
  customer: { ...shop.customer, everyMs: 8_000, jobs: 80 },
  disasters: {
    ...shop.disasters,
    ...{ logFreeze: 20 * MINUTE, logDown: 30 * MINUTE, databaseFreeze: 20 * MINUTE, cut: 15 * MINUTE },
    suspension: 5 * MINUTE,
  },
};

/** Jobs wait at their printers, and computers lose their network. */
const rush: Scenario = {
  ...shop,
  webhookTypes: undefined,
  customer: { ...shop.customer, everyMs: 3_000, jobs: 100, cancels: 0.3 },
  agent: { ...shop.agent, longestHandOffMs: 40_000 },
  stores: { ...shop.stores, slow: 0.05 },
  disasters: { ...shop.disasters, agentCut: MINUTE, instanceCrash: MINUTE, databaseFreeze: 2 * MINUTE },
};

/** Agents and instances crash all the time, while the stores are slow or cannot be reached. */
const outages: Scenario = {
  ...rush,
  ...{ instances: 3, skewMs: 3_000 },
  stores: { ...shop.stores, slow: 0.2 },
  disasters: {
    ...{ instanceCrash: MINUTE, agentCrash: 10_000, agentCut: 2 * MINUTE, oldClone: MINUTE },
    ...{ cut: MINUTE, databaseFreeze: 2 * MINUTE, logFreeze: 4 * MINUTE, logDown: 5 * MINUTE },
  },
};

/** Agents crash while they wait for a permit, and their calls are on the way. */
const restarts: Scenario = {
  ...{ ...rush, disasters: {}, stores: { ...shop.stores, slow: 0.1 } },
  agent: { ...rush.agent, diesAsking: 0.5 },
};

/** Copies of computers run beside them, and a computer breaks. */
const clones: Scenario = {
  ...rush,
  ...{ instances: 2, stores: { ...shop.stores, slow: 0.1 } },
  disasters: {
    ...{ agentCrash: 4 * MINUTE, agentCut: 4 * MINUTE, clone: MINUTE, computerLost: 6 * MINUTE },
    ...{ cut: 2 * MINUTE, databaseFreeze: 4 * MINUTE },
  },
};

/** Older copies of computers start beside them. */
const copies: Scenario = {
  ...{ ...rush, instances: 2 },
  disasters: { standIn: 20_000, spoolerRestart: 10 * MINUTE, cut: 20_000 },
};

/** Copies of computers with a permit start, and the read database fails when the original calls. */
const standIns: Scenario = {
  ...{ ...restarts, instances: 2, outageAfter: 'ReplacedSessionCalled' },
  agent: { ...rush.agent, copiedHolding: 0.3 },
};

/** Older copies of computers start while the original asks for a permit. */
const takeovers: Scenario = {
  ...{ ...restarts, instances: 2, stores: { ...shop.stores, slowWrites: 0.5 } },
  agent: { ...rush.agent, copiedAsking: 0.5 },
};

/** Instances start while the views lag, and customers look at the jobs that they have cancelled. */
const starts: Scenario = {
  ...{ ...rush, instances: 2, disasters: { laggingStart: MINUTE } },
  customer: { ...rush.customer, cancels: 0.6, looks: 6 },
};

/** Most jobs expire soon, while the views lag and the timers move from one instance to the next. */
const deadlines: Scenario = {
  ...outages,
  ...{ instances: 2, skewMs: 0 },
  customer: { ...rush.customer, hurried: 0.9 },
  agent: { ...rush.agent, lastMoment: 0.5, releases: 0.2, longestHandOffMs: 5_000 },
  disasters: { instanceCrash: MINUTE, cut: MINUTE, databaseFreeze: 30_000 },
};

/** Customers ask for what is refused, wait for scheduled retries, and change webhooks. */
const slips: Scenario = {
  ...rush,
  customer: { ...rush.customer, retries: 1, slips: 0.5 },
  agent: { ...rush.agent, rejectsAtOnce: 0.05, neverPrints: 0.2 },
  disasters: { agentCrash: 4 * MINUTE, agentCut: 4 * MINUTE, instanceCrash: 4 * MINUTE },
};

/** Older copies of the event log are put back, and disks are full. */
const restores: Scenario = {
  ...shop,
  instances: 2,
  disasters: { agentCrash: 4 * MINUTE, agentCut: 5 * MINUTE, rollback: 8 * MINUTE, diskFull: 10 * MINUTE },
};

/** One instance on the embedded stores, with real SQLite files on a disk that loses its power and flips bits. */
const disk: Scenario = {
  ...shop,
  disasters: {
    ...{ agentCrash: 4 * MINUTE, agentCut: 5 * MINUTE, spoolerRestart: 30 * MINUTE },
    ...{ instanceCrash: 4 * MINUTE, powerCut: 2 * MINUTE, flippedBit: 3 * MINUTE },
  },
  env: { EVENTSTORE_URL: '', MONGODB_URL: '', PACK_AFTER_SECONDS: '600' },
};

/** A quiet shop with few faults: for figures. */
const calm: Scenario = {
  ...shop,
  computers: 1,
  customer: { ...shop.customer, everyMs: 4 * MINUTE, jobs: 300, retries: 0.1 },
  disasters: { agentCrash: HOUR },
  ...{ stores: NO_FAULTS, network: NO_FAULTS },
};

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  shop,
  rush,
  partner,
  outages,
  clones,
  copies,
  takeovers,
  standIns,
  starts,
  deadlines,
  restarts,
  slips,
  restores,
  disk,
  calm,
};
