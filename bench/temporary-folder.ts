import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const EX_INTERRUPTED = 130;

/** Runs `work` in a new folder below `BENCH_DIR`, which is deleted at the end and on signals. */
export async function inTemporaryFolder<T>(work: (root: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(path.join(process.env.BENCH_DIR ?? tmpdir(), 'rps-bench-'));
  const leave = () => rmSync(root, { recursive: true, force: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Children exit when their parent disconnects.
    process.once(signal, () => {
      leave();
      process.exit(EX_INTERRUPTED);
    });
  }
  try {
    return await work(root);
  } finally {
    leave();
  }
}
