import { NO_FAULTS } from './engine/link.js';
import type { Scenario } from './scenarios.js';

/** A run of a scenario, as options of the program. */
export interface Attempt {
  readonly seed: number;
  /** Of each customer. */
  readonly jobs: number;
  /** Kinds of faults that are switched off. */
  readonly without: readonly string[];
}

/** Seeds tried for each simpler run: one fault less changes all that follows it. */
const SEEDS = 4;

export const faultsOf = ({ disasters }: Scenario): readonly string[] => [
  ...['stores', 'network'],
  ...Object.keys(disasters),
];

export function scenarioOf(whole: Scenario, { jobs, without }: Omit<Attempt, 'seed'>): Scenario {
  const disasters = Object.entries(whole.disasters).filter(([name]) => !without.includes(name));
  return {
    ...whole,
    disasters: Object.fromEntries(disasters),
    customer: { ...whole.customer, jobs },
    stores: without.includes('stores') ? NO_FAULTS : whole.stores,
    network: without.includes('network') ? NO_FAULTS : whole.network,
  };
}

/** The kind of a violation, whatever ids and times it names. */
export const kindOf = (violation: string) => violation.split('\n')[0]!.replace(/[0-9a-f-]{8,}|\d+/g, '…');

/**
 * Looks for a simpler run that breaks the same promise: first with one kind of faults less at a time, then
 * with fewer jobs.
 */
export async function shrink(
  failing: Attempt,
  faults: readonly string[],
  breaks: (attempt: Attempt) => Promise<boolean>,
): Promise<Attempt> {
  let found = failing;
  const isSimpler = async (simpler: Attempt) => {
    for (let n = 0; n < SEEDS; n++) {
      const attempt = { ...simpler, seed: simpler.seed + n };
      if (!(await breaks(attempt))) continue;
      found = attempt;
      return true;
    }
    return false;
  };
  for (const fault of faults)
    if (!found.without.includes(fault)) await isSimpler({ ...found, without: [...found.without, fault] });
  let step = Math.ceil(failing.jobs / 2);
  for (; step >= 1; step = step === 1 ? 0 : Math.ceil(step / 2))
    while (found.jobs > step && (await isSimpler({ ...found, jobs: found.jobs - step })));
  return found;
}
