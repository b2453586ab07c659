import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type AccessEvent, INSTALLATION, NoteAccess } from '../contexts/members/index.js';
import { RateCounters } from '../kernel/rate-counters.js';
import type { Origin } from '../kernel/recorded-event.js';
import { Clock, type Milliseconds } from '../kernel/time.js';

const MINUTE: Milliseconds = 60_000;

/** Leaves readings of operators in the audit of the account they concern (docs/decisions/076-traces-of-access.md). */
@Injectable()
export class AccessNotes {
  constructor(
    private readonly commands: CommandBus,
    private readonly counters: RateCounters,
    private readonly clock: Clock,
  ) {}

  /** One event in ten minutes for the same operator and resource. Without a trace nothing is read. */
  async operatorReads(accountId: string | undefined, event: AccessEvent, by: Origin): Promise<void> {
    const key = `operator-read:${by.actor.id}:${Object.values(event.data).join()}`;
    const { consumed } = await this.counters.add(key, 1, 10 * MINUTE);
    if (consumed > 1) return;
    const note = { accountId: accountId ?? INSTALLATION, noted: event, at: this.clock.now(), by };
    try {
      await this.commands.execute(new NoteAccess(note));
    } catch (error) {
      await this.counters.add(key, -1, 10 * MINUTE);
      throw error;
    }
  }
}
