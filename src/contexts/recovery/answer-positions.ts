import { Inject, Injectable } from '@nestjs/common';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { streamOf } from '../../kernel/ids.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { MasterKey } from '../../kernel/sealing.js';
import { computers } from '../devices/index.js';
import { JOB, type GrantedLease, type JobAggregate } from '../jobs/index.js';
import { nameOf, positionOf, type SeenEvent } from './domain/position.js';
import { EventStore } from '../../event-sourcing/index.js';

const SEAL_BYTES = 16;

type Events = readonly RecordedEvent[];

/** Sealed, so that no agent or other service can fake a rollback. */
@Injectable()
export class AnswerPositions {
  readonly #key: Uint8Array;

  constructor(
    masterKey: MasterKey,
    private readonly events: EventStore,
    @Inject(JOB) private readonly job: JobAggregate,
  ) {
    this.#key = masterKey.derive('agent positions');
  }

  /** @param appended events stored by the command; without the event, it is loaded */
  ofSession(computerId: string, appended: Events): Promise<string> {
    return this.ofNewest(streamOf(computers.category, computerId), 'AgentSessionStarted', appended);
  }

  async ofLeases(granted: readonly GrantedLease[]): Promise<string> {
    const positions = granted.map(({ job, events }) =>
      this.ofNewest(streamOf(this.job.category, job.jobId), 'JobLeased', events),
    );
    return (await Promise.all(positions)).sort().at(-1)!;
  }

  /** @param appended empty if the permit is repeated */
  ofHandoff(jobId: string, appended: Events): Promise<string> {
    return this.ofNewest(streamOf(this.job.category, jobId), 'HandoffStarted', appended);
  }

  /** Undefined for a position of another service. */
  read(text: string): SeenEvent | undefined {
    const position = positionOf(text);
    if (!position) return undefined;
    const isOurs = timingSafeEqual(Buffer.from(position.seal), Buffer.from(this.seal(position.name)));
    return isOurs ? position.event : undefined;
  }

  private async ofNewest(stream: string, type: string, appended: Events): Promise<string> {
    const isIt = (event: RecordedEvent) => event.type === type;
    const event = appended.findLast(isIt) ?? (await this.events.load(stream)).findLast(isIt);
    if (!event) throw new Error(`stream ${stream} holds no ${type}`);
    const name = nameOf(event);
    return `${name}/${this.seal(name)}`;
  }

  private seal(name: string): string {
    const mac = createHmac('sha256', this.#key).update(name).digest();
    return mac.subarray(0, SEAL_BYTES).toString('base64url');
  }
}
