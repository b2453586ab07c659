import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.js';
import { simulate, type Outcome } from './run.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    /** Seeds in a row. */
    runs: { type: 'string', default: '1' },
    /** Times that each seed runs; all must be equal. */
    repeat: { type: 'string', default: '1' },
    steps: { type: 'string' },
    /** Of each customer. */
    jobs: { type: 'string' },
    scenario: { type: 'string', default: 'shop' },
    /** Of planted.mjs. */
    fault: { type: 'string' },
    trace: { type: 'string', default: '60' },
    coverage: { type: 'boolean', default: false },
  },
});

const show = (line: string) => process.stdout.write(`${line}\n`);

const listed = (tally: ReadonlyMap<string, number>) =>
  [...tally]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${String(count).padStart(8)}  ${name}`);

function report(outcome: Outcome, realMs: number): void {
  const { seed, hash, steps, jobs, simulatedMs, violations } = outcome;
  const figures = [
    `${steps} steps`,
    `${jobs} jobs`,
    `${(simulatedMs / 3_600_000).toFixed(1)} h in ${(realMs / 1000).toFixed(1)} s`,
    `${(simulatedMs / realMs).toFixed(0)} times`,
    `${((jobs / realMs) * 60_000).toFixed(0)} lives/min`,
  ];
  show(`seed ${seed}: ${figures.join(', ')}, hash ${hash}`);
  if (violations.length === 0) return;
  for (const line of outcome.trace.slice(-Number(values.trace))) show(`  ${line}`);
  for (const violation of violations.slice(0, 20)) show(`VIOLATION of seed ${seed}: ${violation}`);
}

const chosen = SCENARIOS[values.scenario];
if (!chosen) throw new Error(`--scenario must be one of ${Object.keys(SCENARIOS).join(', ')}`);
const jobs = Number(values.jobs ?? chosen.customer.jobs);
const scenario = { ...chosen, customer: { ...chosen.customer, jobs } };
const maxSteps = values.steps ? Number(values.steps) : Infinity;
const first = Number(values.seed ?? process.hrtime.bigint() % 1_000_000_007n);

async function timed(seed: number): Promise<Outcome> {
  const began = process.hrtime.bigint();
  const outcome = await simulate(seed, scenario, maxSteps);
  report(outcome, Number(process.hrtime.bigint() - began) / 1e6);
  return outcome;
}

async function runSeed(seed: number): Promise<boolean> {
  const outcome = await timed(seed);
  const tallies = values.coverage ? [outcome.codes, outcome.transitions, outcome.logged] : [];
  if (values.runs === '1') tallies.unshift(outcome.types);
  for (const line of tallies.flatMap(listed)) show(line);
  for (let again = 1; again < Number(values.repeat); again++)
    if ((await timed(seed)).hash !== outcome.hash) {
      show(`seed ${seed} did not repeat itself`);
      return false;
    }
  return outcome.violations.length === 0;
}

let isGood = true;
for (let n = 0; n < Number(values.runs) && isGood; n++) isGood = await runSeed(first + n);
process.exit(isGood ? 0 : 1);
