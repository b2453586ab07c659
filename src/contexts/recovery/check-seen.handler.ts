import { LRUCache } from 'lru-cache';
import { growingTo } from '../../kernel/cache-size.js';
import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { command } from '../../kernel/command.js';
import { computers, knowsLossOf, ReportLostEvent, type Computer } from '../devices/index.js';
import { JOB, JobLists, ParkRestoredJob, type JobAggregate } from '../jobs/index.js';
import { AnswerPositions } from './answer-positions.js';
import type { SeenEvent } from './domain/position.js';
import { RaiseRollbackAlarm } from './domain/rollback-alarm.decider.js';
import { rollbackAlarms, STORE_ID } from './recovery.aggregates.js';
import { CorruptEventError } from '../../kernel/errors.js';
import { EventStore, AggregateStore, endAll } from '../../event-sourcing/index.js';

/** One for each Agent that polls here: asked in turn, a smaller cache would hit none. */
const CACHED_POSITIONS = 20_000;

/** If the store has lost the newest event an agent saw, parks jobs that may have been handed out since. */
export class CheckSeen extends command('CheckSeen')<
  {
    computerId: string;
    seen: string;
    /** Asks the store also within a period in which its answer is known. */
    isFresh?: boolean;
  },
  { readonly fromMemory: boolean }
> {}

@CommandHandler(CheckSeen)
export class CheckSeenHandler implements ICommandHandler<CheckSeen> {
  private readonly logger = new Logger(CheckSeenHandler.name);
  /** By position: the period of hearing in which its event was read. A rollback interrupts it. */
  private readonly heldIn = new LRUCache<string, object>(growingTo(CACHED_POSITIONS));

  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly events: EventStore,
    private readonly lists: JobLists,
    private readonly positions: AnswerPositions,
  ) {}

  /** @throws UnavailableError if the store cannot be read, which is no rollback */
  async execute(command: CheckSeen): Promise<{ fromMemory: boolean }> {
    const { computerId, seen, isFresh = false } = command;
    const event = this.positions.read(seen);
    if (!event) {
      this.logger.debug(
        `ignored a position of computer ${computerId}: another service or master key made it`,
      );
      return { fromMemory: false };
    }
    const period = this.events.hearing();
    if (!isFresh && period && this.heldIn.get(seen) === period) return { fromMemory: true };
    const { state: computer } = await this.aggregates.load(computers, computerId);
    if (knowsLossOf(computer, seen)) return { fromMemory: false };
    if (!(await this.holds(event))) await this.dealWithLoss(computer, event, command);
    else if (period) this.heldIn.set(seen, period);
    return { fromMemory: false };
  }

  /** Records the loss last: after a crash the agent sends the position again, and all steps are repeated. */
  private async dealWithLoss(computer: Computer, event: SeenEvent, command: CheckSeen): Promise<void> {
    const { computerId, seen, at, by } = command;
    const parked = await this.park(computer, event, command);
    const alarm = new RaiseRollbackAlarm({ computerId, seen, at, by });
    await this.aggregates.execute(rollbackAlarms, STORE_ID, alarm);
    const report = new ReportLostEvent({ computerId, seen, jobsParked: parked, at, by });
    const reported = await this.aggregates.execute(computers, computerId, report);
    if (!reported.ok || reported.events.length === 0) return;
    this.logger.error(
      `The store went back in time: computer ${computerId} has seen event ${event.id} of ${event.at}, which it no ` +
        `longer holds. ${parked} of its jobs are parked (manual_review, RESTORED). Decide about them and look for ` +
        'what else is lost: docs/operations.md, "When the store went back in time".',
    );
  }

  private async holds(event: SeenEvent): Promise<boolean> {
    if (await this.isStored(event)) return true;
    await this.events.proveCurrent();
    return this.isStored(event);
  }

  private async isStored({ stream, revision, id }: SeenEvent): Promise<boolean> {
    try {
      const [stored] = await this.events.load(stream, { from: revision, max: 1 });
      return stored?.id === id;
    } catch (error) {
      // A corrupt event is damaged, not lost.
      if (error instanceof CorruptEventError) return true;
      throw error;
    }
  }

  /** Excludes jobs created after the rollback: they cannot have been printed before it. */
  private async park(computer: Computer, lost: SeenEvent, command: CheckSeen): Promise<number> {
    let parked = 0;
    const { accountId } = computer;
    for (const { printerId } of computer.printers) {
      await endAll(this.events, {
        list: (page) => this.lists.leasable(page, { accountId, printerId }),
        end: async ({ jobId, createdAt }) => {
          const isParked = createdAt <= lost.at && (await this.parkOne(jobId, command));
          if (isParked) parked++;
          return isParked;
        },
      });
    }
    return parked;
  }

  private async parkOne(jobId: string, { at, by }: CheckSeen): Promise<boolean> {
    const park = new ParkRestoredJob({ jobId, at, by });
    const outcome = await this.aggregates.execute(this.job, jobId, park);
    return outcome.ok && outcome.events.length > 0;
  }
}
