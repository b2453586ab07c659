import { setTimeout as pause } from 'node:timers/promises';
import type { StateFolder } from './state/state-folder.js';

export const OUTCOMES = [
  'complete',
  'fail',
  'stall',
  'vanish',
  'cancel',
  'not_submitted',
  'reject',
  'silent',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Steps at which the agent can crash, in the order of a job's life. */
export const STEPS = [
  'leased',
  'before-accept',
  'after-accept',
  'before-handoff',
  'handing-off',
  'during-submit',
  'after-submit',
  'before-report',
  'after-report',
  'before-result',
] as const;
export type Step = (typeof STEPS)[number];

export interface SimulationSettings {
  outcome?: Outcome;
  /** Name of the only virtual printer with this outcome. */
  printer?: string;
  crash?: Step;
  delayMs?: number;
  times?: number;
}

/** Parses `--simulate outcome=fail,crash=after-accept,delay=500,times=1`; several options add up. */
export function parseSimulation(text: string, before: SimulationSettings = {}): SimulationSettings {
  const settings = { ...before };
  for (const pair of text.split(',')) {
    const [name = '', value = ''] = pair.split('=', 2);
    if (name === 'outcome' && value.startsWith('crash:'))
      settings.crash = oneOf(STEPS, value.slice(6), 'crash');
    else if (name === 'outcome') settings.outcome = oneOf(OUTCOMES, value.replaceAll('-', '_'), name);
    else if (name === 'printer') settings.printer = value;
    else if (name === 'crash') settings.crash = oneOf(STEPS, value, name);
    else if (name === 'delay') settings.delayMs = whole(value, name);
    else if (name === 'times') settings.times = whole(value, name);
    else throw new RangeError(`unknown simulation '${name}': outcome, printer, crash, delay or times`);
  }
  return settings;
}

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new RangeError(`${name} '${value}' is none of ${allowed.join(', ')}`);
  return found;
}

function whole(value: string, name: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new RangeError(`${name} '${value}' is not a whole number`);
  return Number(value);
}

type Kind = 'outcome' | 'crash';
type Counts = Partial<Record<Kind, number>>;

/** Simulates failures. The count of `times` is stored on disk, so that it continues after a restart. */
export class Simulation {
  private constructor(
    private readonly settings: SimulationSettings,
    private readonly state: StateFolder,
    private readonly counts: Counts,
  ) {}

  static async open(settings: SimulationSettings, state: StateFolder): Promise<Simulation> {
    return new Simulation(settings, state, (await state.read<Counts>('simulated.json')) ?? {});
  }

  get delayMs(): number {
    return this.settings.delayMs ?? 0;
  }

  async nextOutcome(printerName: string): Promise<Outcome> {
    const { outcome, printer = printerName } = this.settings;
    if (printer !== printerName) return 'complete';
    return outcome && outcome !== 'complete' && (await this.take('outcome')) ? outcome : 'complete';
  }

  /** Kills the process as by kill -9 if the simulation names this step. */
  async at(step: Step): Promise<void> {
    if (this.settings.crash !== step || !(await this.take('crash'))) return;
    process.kill(process.pid, 'SIGKILL');
    await pause(60_000);
  }

  private async take(kind: Kind): Promise<boolean> {
    const count = this.counts[kind] ?? 0;
    if (this.settings.times === undefined) return true;
    if (count >= this.settings.times) return false;
    this.counts[kind] = count + 1;
    await this.state.write('simulated.json', this.counts);
    return true;
  }
}
