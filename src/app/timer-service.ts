import type { CommandBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import type { TimedProcess } from '../kernel/process.js';
import type { Clock } from '../kernel/time.js';
import { retriedFailures } from './retried-failures.js';
import { type DueTimers, type Stores, TimerLoop, type SendDue } from '../event-sourcing/index.js';

export class TimerService {
  private readonly loop: TimerLoop;

  constructor(
    timers: DueTimers,
    stores: Stores,
    clock: Clock,
    commands: CommandBus,
    processes: readonly TimedProcess[],
    logger: Logger,
  ) {
    const byName = new Map(processes.map((process) => [process.name, process]));
    const send: SendDue = async (timer, at, by) => {
      const process = byName.get(timer.process);
      if (!process) throw new Error(`no process named ${timer.process}`);
      const outcome = await commands.execute(process.command(timer, at, by));
      return outcome.ok && (outcome.events?.length ?? 0) > 0;
    };
    const failures = retriedFailures(logger);
    this.loop = new TimerLoop(timers, stores.liveness, stores.events, clock, send, {
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
