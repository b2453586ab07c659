import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SinkReport } from './sink.js';

const LOOK_MS = 20;

/** Webhook receiver in a separate process. */
export class Sink {
  private constructor(
    private readonly child: ChildProcess,
    private readonly port: number,
  ) {}

  static async start(): Promise<Sink> {
    const child = fork(fileURLToPath(new URL('./sink.js', import.meta.url)), { serialization: 'advanced' });
    const { port } = await new Promise<{ port: number }>((resolve) =>
      child.once('message', (message) => resolve(message as { port: number })),
    );
    return new Sink(child, port);
  }

  /** `ok`: answered at once. `hole`: never answered. */
  url(group: 'ok' | 'hole', name: string | number): string {
    return `http://127.0.0.1:${this.port}/${group}/${name}`;
  }

  report(): Promise<SinkReport> {
    return new Promise((resolve) => {
      this.child.once('message', (message) => resolve(message as SinkReport));
      this.child.send('report');
    });
  }

  /** Resets the counters. */
  async forget(): Promise<void> {
    this.child.kill('SIGUSR2');
    await pause(LOOK_MS);
  }

  /** @throws Error if fewer than `count` arrive in time */
  async until(count: number, withinMs: number): Promise<SinkReport> {
    const end = performance.now() + withinMs;
    for (;;) {
      const report = await this.report();
      const come = report.ok?.count ?? 0;
      if (come >= count) return report;
      if (performance.now() > end) throw new Error(`${come} of ${count} deliveries came`);
      await pause(LOOK_MS);
    }
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}
