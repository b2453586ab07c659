/** Arguments for node itself in every measured process, e.g. `--cpu-prof --cpu-prof-dir=/tmp/profiles`. */
export const nodeArgs = (): string[] => (process.env.BENCH_NODE_ARGS ?? '').split(' ').filter(Boolean);
