import { atLeast, atMost, type Bench, type Figure, type Target } from '../measure.js';
import type { LoadGenerator } from '../load/load.js';
import type { LoadResult, LoadSpec, RequestSpec } from '../load/load-spec.js';
import type { ServiceProcess } from '../programs/service.js';
import { costOf, memoryOf, usageOf, type Cost } from '../programs/usage.js';
import { median, rounds } from '../statistics.js';

export const CONNECTIONS = 64;

export interface Loaded {
  readonly results: readonly LoadResult[];
  readonly cost: Cost;
  readonly rssMb: number;
  /** Of the generator, CPU-seconds for 1,000 requests. */
  readonly generatorCost: number;
}

/** Warms up, then as many rounds of the same load as the bench asks for. */
export async function loadRounds(
  bench: Bench,
  service: ServiceProcess,
  generator: LoadGenerator,
  requests: readonly RequestSpec[],
  { expected, connections = CONNECTIONS }: { expected: number; connections?: number },
): Promise<Loaded> {
  const spec: LoadSpec = { url: service.url, connections, requests, seconds: bench.seconds };
  await generator.run(spec, expected);
  const costs: Cost[] = [];
  const results = await rounds(bench.rounds, async () => {
    const before = usageOf(service.pid);
    const result = await generator.run(spec, expected);
    costs.push(costOf(before, usageOf(service.pid), result.count));
    return result;
  });
  const middle = (of: (cost: Cost) => number) => median(costs.map(of));
  return {
    results,
    cost: { total: middle((c) => c.total), main: middle((c) => c.main), writer: middle((c) => c.writer) },
    rssMb: memoryOf(service.pid).now,
    generatorCost: median(results.map(({ cpu, count }) => (cpu * 1000) / count)),
  };
}

/** Rate and p99 of a load, with what the issue asks of each. */
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
