import { atLeast, atMost, type Bench, type Figure, type Target } from '../measure.js';
import type { LoadGenerator } from '../load/load.js';
import type { LoadResult, LoadSpec, RequestSpec } from '../load/load-spec.js';
import type { ServiceProcess } from '../programs/service.js';
import { costOf, medianCost, memoryOf, usageOf, type Cost } from '../programs/usage.js';
import { median } from '../statistics.js';

export const CONNECTIONS = 64;

export interface Loaded {
  readonly results: readonly LoadResult[];
  /** Median of the rounds. */
  readonly cost: Cost;
  readonly costs: readonly Cost[];
  readonly rssMb: number;
  /** CPU-seconds of the generator for 1,000 requests. */
  readonly generatorCost: number;
}

/** One load on one service. */
export interface Run {
  readonly service: ServiceProcess;
  readonly requests: readonly RequestSpec[];
  readonly expected: number;
}

/** Warms up, then runs the configured number of rounds of one load. */
export async function loadRounds(bench: Bench, generator: LoadGenerator, run: Run): Promise<Loaded> {
  const [loaded] = await loadInTurn(bench, generator, [run]);
  return loaded!;
}

/** Like `loadRounds`, alternating between the loads, so that compared loads run under the same conditions. */
export async function loadInTurn(
  bench: Bench,
  generator: LoadGenerator,
  runs: readonly Run[],
): Promise<readonly Loaded[]> {
  const once = ({ service, requests, expected }: Run): Promise<LoadResult> => {
    const spec: LoadSpec = { url: service.url, connections: CONNECTIONS, requests, seconds: bench.seconds };
    return generator.run(spec, expected);
  };
  for (const run of runs) await once(run);
  const measured = runs.map(() => [] as { result: LoadResult; cost: Cost }[]);
  for (let round = 0; round < bench.rounds; round++) {
    for (const [n, run] of runs.entries()) {
      const before = usageOf(run.service.pid);
      const result = await once(run);
      measured[n]!.push({ result, cost: costOf(before, usageOf(run.service.pid), result.count) });
    }
  }
  return runs.map(({ service }, n) => summary(measured[n]!, service));
}

function summary(rounds: readonly { result: LoadResult; cost: Cost }[], { pid }: ServiceProcess): Loaded {
  const costs = rounds.map(({ cost }) => cost);
  return {
    results: rounds.map(({ result }) => result),
    cost: medianCost(costs),
    costs,
    rssMb: memoryOf(pid).now,
    generatorCost: median(rounds.map(({ result }) => (result.cpu * 1000) / result.count)),
  };
}

/** Ratio of the rates of two loads, per round. */
export function ratios(loaded: Loaded, to: Loaded): number[] {
  return loaded.results.map(({ perSecond }, n) => perSecond / to.results[n]!.perSecond);
}

/** CPU-seconds of another load, of those of this one, per round: 0.97 if this one costs 3 % more. */
export function costRatios(loaded: Loaded, to: Loaded): number[] {
  return loaded.costs.map(({ total }, n) => to.costs[n]!.total / total);
}

/** Rate and p99 of a load, with their targets. */
export function figuresOf(
  name: string,
  { results, cost, rssMb, generatorCost }: Loaded,
  wanted: { readonly rate?: number; readonly p99?: number } = {},
): Figure[] {
  const rate: Figure = {
    name,
    unit: '/s',
    rounds: results.map(({ perSecond }) => perSecond),
    target: optional(wanted.rate, atLeast),
    cost,
    generatorCost,
    rssMb,
  };
  const p50 = median(results.map((result) => result.p50));
  const tail: Figure = {
    name: `${name}, p99`,
    unit: 'ms',
    rounds: results.map(({ p99 }) => p99),
    target: optional(wanted.p99, atMost),
    note: `p50 ${p50.toFixed(1)} ms`,
  };
  return [rate, tail];
}

const optional = (value: number | undefined, target: (value: number) => Target) =>
  value === undefined ? undefined : target(value);
