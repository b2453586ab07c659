import type { CommandBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import type { Clock } from '../kernel/time.js';
import type { RunningProcess } from './processes.js';
import { retriedFailures } from './retried-failures.js';
import { type Stores, TimerLoop, type SendDue } from '../event-sourcing/index.js';

export class TimerService {
  private readonly loop: TimerLoop;

  constructor(
    stores: Stores,
    clock: Clock,
    commands: CommandBus,
    processes: readonly RunningProcess[],
    logger: Logger,
  ) {
    const byName = new Map(processes.map((running) => [running.process.name, running.command]));
    const send: SendDue = async (timer, at, by) => {
      const command = byName.get(timer.process);
      if (!command) throw new Error(`no process named ${timer.process}`);
      const outcome = await commands.execute(command(timer, at, by));
      return outcome.ok && (outcome.events?.length ?? 0) > 0;
    };
    const failures = retriedFailures(logger);
    this.loop = new TimerLoop(stores.views, stores.liveness, stores.events, clock, send, {
      onError: (error, timer) =>
        failures(error, 'a timer failed; it will be retried', {
          timer: timer && `${timer.process}:${timer.subject}`,
        }),
    });
  }

  start(): void {
    this.loop.start();
  }

  async runDue(): Promise<void> {
    await this.loop.runDue();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }
}
