/** The n-th percentile of the values. */
export function percentile(times: readonly number[], n: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * n) / 100))]!;
}

export function figuresOf(times: readonly number[]): string {
  return [50, 99].map((n) => `p${n} ${Math.round(percentile(times, n))} ms`).join(', ');
}
