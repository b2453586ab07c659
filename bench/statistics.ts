/** @param q from 0 to 1; nearest rank */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Runs `work` `count` times in sequence; resolves to its results. */
export async function rounds<T>(count: number, work: (round: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < count; round++) results.push(await work(round));
  return results;
}
