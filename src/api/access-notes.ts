import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  type AccessEvent,
  INSTALLATION,
  NoteAccess,
  type SignInClient,
  type SignInTarget,
  type Unsigned,
} from '../contexts/members/index.js';
import { RateCounters } from '../kernel/rate-counters.js';
import type { Origin } from '../kernel/recorded-event.js';
import { Clock, type Milliseconds } from '../kernel/time.js';

const MINUTE: Milliseconds = 60_000;
const ALL_STORED = 20;

/**
 * Leaves failed sign-ins and readings of operators in the audit of the account they concern, without letting anybody
 * fill the event store (docs/decisions/076-traces-of-access.md).
 */
@Injectable()
export class AccessNotes {
  private readonly logger = new Logger(AccessNotes.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly counters: RateCounters,
    private readonly clock: Clock,
  ) {}

  /** Does not wait for the event: the time of the answer must not reveal names. */
  signInFailed(
    { accountId = INSTALLATION, memberId }: Partial<SignInTarget>,
    by: 'link' | 'password',
    client: SignInClient,
    via: Unsigned,
  ): void {
    const whose = memberId === undefined ? accountId : `member ${memberId} of ${accountId}`;
    this.logger.warn(`a sign-in by ${by} from ${client.address} for ${whose} failed`);
    const note = async () => {
      const { consumed } = await this.counters.add(`sign-in-failed:${memberId ?? accountId}`, 1, 60 * MINUTE);
      if (consumed > ALL_STORED && !Number.isInteger(Math.log2(consumed / ALL_STORED))) return;
      const data = { by, ...client, ...(memberId !== undefined && { memberId }), count: consumed };
      const origin = { ...via, actor: { kind: 'process', id: 'sign-in' } } as const;
      await this.store(accountId, { type: 'SignInFailed', data }, origin);
    };
    note().catch((error: Error) => this.logger.error(error));
  }

  /** One event in ten minutes for the same operator and resource. Without a trace nothing is read. */
  async operatorReads(accountId: string | undefined, event: AccessEvent, by: Origin): Promise<void> {
    const key = `operator-read:${by.actor.id}:${Object.values(event.data).join()}`;
    const { consumed } = await this.counters.add(key, 1, 10 * MINUTE);
    if (consumed > 1) return;
    try {
      await this.store(accountId ?? INSTALLATION, event, by);
    } catch (error) {
      await this.counters.add(key, -1, 10 * MINUTE);
      throw error;
    }
  }

  private store(accountId: string, event: AccessEvent, by: Origin) {
    return this.commands.execute(new NoteAccess({ accountId, noted: event, at: this.clock.now(), by }));
  }
}
