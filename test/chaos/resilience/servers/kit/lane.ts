import type { Fault } from './faults.js';
import { Load, type LoadOptions } from './load.js';
import { prove } from './proof.js';
import { Scene } from './scene.js';

/** One fault after another on separate servers; lanes run concurrently, because each mostly waits. */
export class Lane {
  private readonly results: readonly Promise<void>[];
  private readonly scene: Promise<Scene>;

  constructor(
    private readonly faults: readonly Fault[],
    { workers = 0, ...load }: { readonly workers?: number } & LoadOptions = {},
  ) {
    this.scene = Scene.start(workers);
    let last: Promise<unknown> = this.scene;
    this.results = faults.map((fault) => {
      const result = last.then(() => this.outlive(fault, load));
      last = result.catch(() => undefined);
      return result;
    });
  }

  /** Rejects with the violations found. */
  result(fault: Fault): Promise<void> {
    return this.results[this.faults.indexOf(fault)]!;
  }

  /** Stops every running process; each must exit with 0 and without an unexpected error in its log. */
  async end(): Promise<void> {
    await Promise.allSettled(this.results);
    const scene = await this.scene;
    const running = scene.processes.filter(({ runs }) => runs);
    const ended = await Promise.all(running.map((one) => one.stop()));
    expect(ended.map(({ code }) => code)).toEqual(ended.map(() => 0));
    expect(scene.logs).not.toMatch(/unhandled|uncaught|"level":60|TypeError/i);
  }

  async remove(): Promise<void> {
    await (await this.scene).end();
  }

  private async outlive(fault: Fault, options: LoadOptions): Promise<void> {
    const { servers, service, workers } = await this.scene;
    service.forget();
    const load = await Load.begin(service, options);
    try {
      await load.goesOn(2);
      await fault.happens({ servers, service, workers, load });
      await load.goesOn(2);
      await load.finish();
    } finally {
      await load.stop();
    }
    await service.isReady();
    await prove(service, load);
    if (process.env.TOLD) process.stderr.write(`${fault.name}: ${service.told} ${load.journal.size} jobs\n`);
  }
}
