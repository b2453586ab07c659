import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.js';
import { simulate, type Outcome } from './run.js';
import { faultsOf, kindOf, scenarioOf, shrink, type Attempt } from './shrink.js';

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
    /** Kinds of faults to switch off, separated by commas. */
    without: { type: 'string', default: '' },
    /** Looks for a simpler run that breaks the same promise. */
    shrink: { type: 'boolean', default: false },
    /** Of planted.mjs. */
    fault: { type: 'string' },
    trace: { type: 'string', default: '60' },
    /** Counts at the end what was reached, and what never was. */
    coverage: { type: 'boolean', default: false },
  },
});

const show = (line: string) => process.stdout.write(`${line}\n`);

/** How often each event, move and code, and each logged error, in all runs. */
const coverage = new Map<string, number>();

function cover({ types, moves, codes, logged }: Outcome): void {
  for (const [name, count] of [types, moves, codes, logged].flatMap((tally) => [...tally]))
    coverage.set(name, (coverage.get(name) ?? 0) + count);
}

function showCoverage(): void {
  const sorted = [...coverage].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, count] of sorted) show(`${String(count).padStart(8)}  ${name}`);
  const reached = sorted.filter(([, count]) => count > 0).length;
  show(`${reached} of ${sorted.length} events, moves and codes reached`);
}

function report(outcome: Outcome, cpuMs: number): void {
  const { seed, hash, steps, jobs, simulatedMs, violations } = outcome;
  const figures = [
    `${steps} steps`,
    `${jobs} jobs`,
    `${(simulatedMs / 3_600_000).toFixed(1)} h in ${(cpuMs / 1000).toFixed(1)} s of CPU`,
    `${(simulatedMs / cpuMs).toFixed(0)} times`,
    `${((jobs / cpuMs) * 60_000).toFixed(0)} lives/min`,
  ];
  show(`seed ${seed}: ${figures.join(', ')}, hash ${hash}`);
  if (violations.length === 0) return;
  for (const line of outcome.trace.slice(-Number(values.trace))) show(`  ${line}`);
  for (const violation of violations.slice(0, 20)) show(`VIOLATION of seed ${seed}: ${violation}`);
}

const chosen = SCENARIOS[values.scenario];
if (!chosen) throw new Error(`--scenario must be one of ${Object.keys(SCENARIOS).join(', ')}`);
const jobs = Number(values.jobs ?? chosen.customer.jobs);
const without = values.without.split(',').filter((name) => name !== '');
const scenario = scenarioOf(chosen, { jobs, without });
const maxSteps = values.steps ? Number(values.steps) : Infinity;
const first = Number(values.seed ?? process.hrtime.bigint() % 1_000_000_007n);

async function timed(seed: number): Promise<Outcome> {
  const before = process.cpuUsage();
  const outcome = await simulate(seed, scenario, maxSteps);
  const { user, system } = process.cpuUsage(before);
  report(outcome, (user + system) / 1_000);
  return outcome;
}

async function runSeed(seed: number): Promise<boolean> {
  const outcome = await timed(seed);
  cover(outcome);
  for (let again = 1; again < Number(values.repeat); again++)
    if ((await timed(seed)).hash !== outcome.hash) {
      show(`seed ${seed} did not repeat itself`);
      return false;
    }
  if (outcome.violations.length > 0 && values.shrink) await showSimpler(outcome);
  return outcome.violations.length === 0;
}

async function showSimpler({ seed, violations }: Outcome): Promise<void> {
  const broken = new Set(violations.map(kindOf));
  const breaks = async (attempt: Attempt) => {
    const found = (await simulate(attempt.seed, scenarioOf(chosen!, attempt), maxSteps)).violations;
    return found.some((violation) => broken.has(kindOf(violation)));
  };
  const simplest = await shrink({ seed, jobs, without }, faultsOf(chosen!), breaks);
  const options = ['--scenario', values.scenario, '--seed', simplest.seed, '--jobs', simplest.jobs];
  const off = simplest.without.length > 0 ? ['--without', simplest.without.join()] : [];
  show(`simpler: npm run sim -- ${[...options, ...off].join(' ')}`);
}

let isGood = true;
for (let n = 0; n < Number(values.runs) && isGood; n++) isGood = await runSeed(first + n);
if (values.coverage) showCoverage();
process.exit(isGood ? 0 : 1);
