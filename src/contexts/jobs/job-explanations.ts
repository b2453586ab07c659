import { Inject, Injectable } from '@nestjs/common';
import { fold } from '../../kernel/decider.js';
import { streamOf } from '../../kernel/ids.js';
import type { Recorded, RecordedEvent } from '../../kernel/recorded-event.js';
import { Clock, type Instant } from '../../kernel/time.js';
import { accounts } from '../accounts/index.js';
import { computers, hasFeature, type Computer } from '../devices/index.js';
import { MAX_AHEAD, type Circumstances } from './domain/explanation.blockers.js';
import { explain, type Explanation } from './domain/job.explanation.js';
import type { JobEvent } from './domain/job.events.js';
import { canCancel, isHeld } from './domain/job.rules.js';
import type { Job } from './domain/job.state.js';
import { OPTIONS_FEATURE } from './domain/print-options.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { JobLists } from './ports.js';
import { AggregateStore, EventStore } from '../../event-sourcing/index.js';

/** Of a computer or an account: older events are no evidence. */
const NEWEST = 200;

/** Gathers what the service knows about a job, and explains it. */
@Injectable()
export class JobExplanations {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly events: EventStore,
    private readonly lists: JobLists,
    private readonly clock: Clock,
  ) {}

  /** @param jobId of a job that exists. @throws UnavailableError, CorruptEventError */
  async explain(jobId: string): Promise<Explanation> {
    const events = (await this.events.load(streamOf('job', jobId))) as unknown as Recorded<JobEvent>[];
    return explain(events, await this.circumstances(fold(this.job.decider, events)));
  }

  private async circumstances(job: Job): Promise<Circumstances> {
    const now = this.clock.now();
    const isAtComputer = isHeld(job.status);
    const isOpen = isAtComputer || canCancel(job.status);
    const [account, computer] = await Promise.all([
      this.aggregates.load(accounts, job.accountId),
      this.aggregates.load(computers, job.computerId),
    ]);
    const newest = await Promise.all([
      isOpen ? this.newest(streamOf('account', job.accountId), account.revision) : [],
      isOpen ? this.newest(streamOf('computer', job.computerId), computer.revision) : [],
    ]);
    const { name, status, sessionId, health } = computer.state;
    const plan = account.state.status === 'absent' ? null : account.state.plan.jobsPerMonth;
    return {
      now,
      accountStatus: account.state.status,
      isPlanUsedUp: !isOpen && plan !== null && (await this.createdIn(job.accountId, now)) >= plan,
      computer: { name, status, takesOptions: hasFeature(computer.state, sessionId, OPTIONS_FEATURE) },
      printer: printerOf(computer.state, job.printerId),
      lastError: health?.lastError ?? undefined,
      ahead: isOpen && !isAtComputer ? await this.ahead(job) : 0,
      newest: newest.flat(),
    };
  }

  private newest(stream: string, revision: number): Promise<readonly RecordedEvent[]> {
    return this.events.load(stream, { from: Math.max(0, revision + 1 - NEWEST), max: 2 * NEWEST });
  }

  private createdIn(accountId: string, now: Instant): Promise<number> {
    return this.lists.countCreatedInMonth(accountId, now.slice(0, 'YYYY-MM'.length));
  }

  /** Jobs that wait for the same printer and come first. */
  private async ahead({ accountId, printerId, jobId }: Job): Promise<number> {
    const { jobs } = await this.lists.waitingOfPrinter(accountId, printerId, { limit: MAX_AHEAD + 1 });
    const place = jobs.findIndex((one) => one.jobId === jobId);
    return place < 0 ? jobs.length : place;
  }
}

/** A printer that the events of the computer do not name counts as removed. */
function printerOf({ printers, health }: Computer, printerId: string): Circumstances['printer'] {
  const printer = printers.find((one) => one.printerId === printerId);
  if (!printer) return { printerId, name: printerId, status: 'removed', isPaused: false };
  const { alias, systemName, status, paused = false, printerKey } = printer;
  const stuck = health?.stuckPrinters?.find((one) => one.printerKey === printerKey);
  const name = alias ?? systemName;
  return { printerId, printerKey, name, status, isPaused: paused, trouble: stuck?.reason };
}
