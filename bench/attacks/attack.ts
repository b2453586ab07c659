import type { ServiceProcess } from '../programs/service.js';
import type { Customer } from '../world.js';

/** Number of answers, or of failures without one, by status or name. */
export type Counts = Record<string, number>;

export function note(counts: Counts, outcome: string): void {
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}

/** One condition beside the victim's latencies. */
export interface Check {
  readonly about: string;
  readonly ok: boolean;
}

export interface Prepared<Given> {
  /** Passed as JSON to the attacker's process. */
  readonly given: Given;
  /** Runs in the bench during the attack. */
  readonly during?: () => Promise<Check[]>;
  /** Runs once the attack has ended; `counts` are the attacker's. */
  readonly after?: (counts: Counts) => Promise<Check[]>;
  readonly close?: () => void;
}

/** An attack as its own process sees it. */
export interface Running {
  /** `http://host:port/v1` */
  readonly url: string;
  /** End of the attack on the clock of `performance.now()`. */
  readonly until: number;
  readonly counts: Counts;
}

/** Source of the attacker's connections: the victim uses 127.0.0.1. */
export const ATTACKER = '127.0.0.2';
export const OTHER_ATTACKER = '127.0.0.3';

export interface Attack<Given = object> {
  readonly name: string;
  readonly about: string;
  /** Additional environment variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Opens the accounts of the attacker, before anything is measured. */
  prepare(service: ServiceProcess, victim: Customer): Promise<Prepared<Given>>;
  /** In the attacker's process: attacks until `running.until`. */
  run(running: Running, given: Given): Promise<void>;
}
