import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadResult, LoadSpec } from './load-spec.js';

/** Load generator in a separate process. */
export class LoadGenerator {
  private readonly child: ChildProcess = fork(fileURLToPath(new URL('./generator.js', import.meta.url)), {
    serialization: 'advanced',
  });

  /** @throws Error if any status differs from `expected`, because rates of refusals are worthless */
  async run(spec: LoadSpec, expected: number | undefined): Promise<LoadResult> {
    const answered = new Promise<LoadResult | { error: string }>((resolve, reject) => {
      this.child.once('message', (message) => resolve(message as LoadResult | { error: string }));
      this.child.once('exit', (code) => reject(new Error(`the load generator ended with ${code}`)));
    });
    this.child.send(spec);
    const result = await answered;
    this.child.removeAllListeners('exit');
    if ('error' in result) throw new Error(`the load failed: ${result.error}`);
    const others = Object.keys(result.statuses).filter((status) => expected && status !== String(expected));
    if (others.length > 0) throw new Error(`not all were ${expected}: ${JSON.stringify(result.statuses)}`);
    return result;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}
