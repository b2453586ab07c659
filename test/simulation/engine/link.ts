import { UnavailableError } from '../../../src/kernel/errors.js';
import type { Milliseconds } from '../../../src/kernel/time.js';
import type { Program } from './program.js';
import type { Random } from '../../kit/random.js';
import type { Simulator } from './simulator.js';

/** How often what goes wrong, from 0 to 1 of the messages. */
export interface NetworkFaults {
  /** Refused at once: certainly without effect. */
  readonly refused: number;
  /** Lost on the way: no effect, and no answer. */
  readonly lost: number;
  /** Has its effect, but its answer is lost. */
  readonly unanswered: number;
  /** Has its effect after the caller has given up. */
  readonly late: number;
  /** Takes up to `slowMs`. */
  readonly slow: number;
  /** Instead of `slow`, on their way. */
  readonly slowWrites?: number;
  readonly slowMs: Milliseconds;
}

export const NO_FAULTS: NetworkFaults = { refused: 0, lost: 0, unanswered: 0, late: 0, slow: 0, slowMs: 0 };

const FAULTS = ['refused', 'lost', 'unanswered', 'late'] as const;

/** After which a caller gives up. */
const PATIENCE_MS: Milliseconds = 2_000;
const LATE_MS: Milliseconds = 4_000;
const USUAL_MS: Milliseconds = 3;

const WRITES: ReadonlySet<string> = new Set([
  ...['put', 'write', 'advance', 'replace', 'begin', 'activate', 'takeOver', 'acquire', 'recordHeartbeat'],
]);

/** Asked all the time: a step is saved for each answer, which arrives at once. In quiet time neither takes a step. */
const IDLE: ReadonlySet<string> = new Set(['acquire', 'progress', 'requested']);

export function delayOf(random: Random, { slow, slowMs }: NetworkFaults): Milliseconds {
  return random.next() * (random.chance(slow) ? slowMs : USUAL_MS);
}

/** A server that all instances share. */
export class Server {
  /** Requests wait until then. */
  frozenUntil: Milliseconds = 0;
  /** Refuses everything until then. */
  downUntil: Milliseconds = 0;
  /** Refuses writes until then. */
  fullUntil: Milliseconds = 0;
  faults = NO_FAULTS;
  /** Nothing goes wrong any more: answers arrive at once, which saves a step for each. */
  isQuiet = false;

  constructor(
    readonly sim: Simulator,
    readonly name: string,
  ) {}

  get isDown(): boolean {
    return this.sim.now < this.downUntil;
  }
}

/** The calls of one program to one server: each is a message and its answer. */
export class Link {
  /** Cut off from the server until then. */
  cutUntil: Milliseconds = 0;

  constructor(
    readonly program: Program,
    readonly server: Server,
  ) {}

  get isOpen(): boolean {
    return this.program.sim.now >= this.cutUntil && !this.server.isDown;
  }

  /**
   * Runs `effect` at the server, later. Of a program that crashes meanwhile it may still run, but answers nothing.
   * @throws UnavailableError
   */
  call<T>(what: string, effect: () => T | Promise<T>, slow = this.server.faults.slow): Promise<T> {
    const { program, server } = this;
    if (!program.isAlive) return new Promise(() => undefined);
    const isAtOnce = server.isQuiet && this.isOpen && program.sim.now >= server.frozenUntil;
    if (isAtOnce && (IDLE.has(what) || what === 'head')) return Promise.resolve().then(effect);
    const label = `${program.name} ${server.name} ${what}`;
    const fault = this.fault();
    return new Promise((resolve, reject) => {
      const giveUp = (outcome: 'unknown' | 'not_written', after: Milliseconds) =>
        this.later(after, `${label}: no answer (${outcome})`, () =>
          reject(new UnavailableError(`${what}: no answer`, outcome)),
        );
      if (fault === 'refused') return giveUp('not_written', this.delay());
      if (fault === 'lost') return giveUp('unknown', PATIENCE_MS);
      if (fault === 'late') giveUp('unknown', PATIENCE_MS);
      const isMuted = fault !== undefined;
      if (fault === 'unanswered') giveUp('unknown', PATIENCE_MS);
      const travel = fault === 'late' ? PATIENCE_MS + program.sim.random.next() * LATE_MS : this.delay(slow);
      this.arrive(travel, label, async () => {
        if (!this.isOpen) return isMuted || giveUp('not_written', 0);
        const answered = await outcomeOf(effect);
        if (isMuted) return;
        const answer = () => (answered.ok ? resolve(answered.value) : reject(answered.error));
        if (server.isQuiet || IDLE.has(what)) return program.isAlive && answer();
        this.later(this.delay(), `${label}${answered.ok ? '' : ' fails'}`, answer);
      });
    });
  }

  /** A call that is refused while the disk of the server is full. @throws UnavailableError */
  write<T>(what: string, effect: () => T | Promise<T>): Promise<T> {
    const written = () => {
      const { sim, fullUntil } = this.server;
      if (sim.now < fullUntil) throw new UnavailableError(`${what}: the disk is full`, 'not_written');
      return effect();
    };
    return this.call(what, written, this.server.faults.slowWrites);
  }

  /** Every method of the port becomes a call. */
  remote<P extends object>(port: P, methods: readonly (keyof P & string)[]): P {
    const calls = methods.map((name) => {
      const method = port[name] as (...args: unknown[]) => unknown;
      const ask = WRITES.has(name) ? this.write : this.call;
      return [name, (...args: unknown[]) => ask.call(this, name, () => method.apply(port, args))];
    });
    return Object.assign(Object.create(port), Object.fromEntries(calls)) as P;
  }

  /** A message from the server, unless the program has crashed. */
  later(ms: Milliseconds, label: string, run: () => void): void {
    this.program.sim.after(ms, label, () => this.program.isAlive && run());
  }

  delay(slow = this.server.faults.slow): Milliseconds {
    return delayOf(this.program.sim.random, { ...this.server.faults, slow });
  }

  private arrive(travel: Milliseconds, label: string, run: () => unknown): void {
    const { sim } = this.program;
    const wait = Math.max(0, this.server.frozenUntil - sim.now - travel);
    sim.after(travel + wait, `${label}…`, run);
  }

  private fault(): (typeof FAULTS)[number] | undefined {
    const { faults } = this.server;
    if (!this.isOpen) return 'refused';
    let roll = this.program.sim.random.next();
    for (const name of FAULTS) {
      if (roll < faults[name]) return name;
      roll -= faults[name];
    }
    return undefined;
  }
}

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Error };

async function outcomeOf<T>(effect: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await effect() };
  } catch (error) {
    return { ok: false, error: error as Error };
  }
}
