import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  CreateEnrollment,
  DisableComputer,
  EnableComputer,
  type PrinterSettings,
  RenameComputer,
  RevokeComputer,
  UpdatePrinter,
} from '../contexts/devices/index.js';
import { LivenessStore } from '../event-sourcing/index.js';
import { Field } from '../http/validation/field.js';
import { dateTime, text, uuid } from '../http/validation/rules.js';
import type { Command, CommandResult } from '../kernel/command.js';
import { hashCredential, mintCredential } from '../kernel/credential.js';
import { Randomness } from '../kernel/ids.js';
import type { Origin } from '../kernel/recorded-event.js';
import { Clock, type Instant, plus } from '../kernel/time.js';
import { AGENT_TIMING, type AgentTiming } from './agent-timing.js';
import { orRefuse } from './errors/answers.js';

/** An enrolment token; shown only at its creation. */
export class Enrollment {
  @Field(uuid()) enrollment_id!: string;
  @Field(text({ max: 200 }), { description: 'A secret, shown this once' }) enrollment_token!: string;
  @Field(dateTime()) expires_at!: Instant;
  @Field(uuid()) account_id!: string;

  static readonly example: Enrollment = {
    enrollment_id: '01990000-0000-7000-8000-000000000001',
    enrollment_token: 'svc_enroll_live_…',
    expires_at: '2026-11-21T12:10:00.000Z',
    account_id: '01990000-0000-7000-8000-000000000001',
  };
}

/** What several surfaces do with computers and their printers; the caller has checked whose they are. */
@Injectable()
export class ComputerAdministration {
  constructor(
    private readonly commands: CommandBus,
    private readonly liveness: LivenessStore,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
    @Inject(AGENT_TIMING) private readonly timing: AgentTiming,
  ) {}

  /** Creates an enrolment token, which is in the answer alone. */
  async enroll(accountId: string, ttlSeconds: number, by: Origin): Promise<Enrollment> {
    const enrollmentId = this.randomness.uuid();
    const token = mintCredential('svc_enroll_live_', enrollmentId, this.randomness.bytes(32));
    const at = this.clock.now();
    const expiresAt = plus(at, ttlSeconds * 1000);
    const stored = { accountId, hash: hashCredential(token), expiresAt, createdBy: by.actor };
    await this.commands.execute(new CreateEnrollment({ enrollmentId, token: stored, at, by }));
    return {
      enrollment_id: enrollmentId,
      enrollment_token: token,
      expires_at: expiresAt,
      account_id: accountId,
    };
  }

  /** @throws COMPUTER_NOT_FOUND, STATE_CONFLICT */
  disable(computerId: string, by: Origin): Promise<void> {
    return this.decided(new DisableComputer({ computerId, at: this.clock.now(), by }));
  }

  /** @throws COMPUTER_NOT_FOUND, STATE_CONFLICT */
  async enable(computerId: string, by: Origin): Promise<void> {
    const at = this.clock.now();
    const [seen] = await this.liveness.lastHeartbeats([`computer:${computerId}`]);
    const present = seen !== undefined && plus(seen, this.timing.presenceTimeoutMs) > at;
    return this.decided(new EnableComputer({ computerId, present, at, by }));
  }

  /** @throws COMPUTER_NOT_FOUND */
  revoke(computerId: string, reason: string, by: Origin): Promise<void> {
    return this.decided(new RevokeComputer({ computerId, reason, at: this.clock.now(), by }));
  }

  /** @param displayName empty = the reported name again. @throws COMPUTER_NOT_FOUND, STATE_CONFLICT */
  rename(computerId: string, displayName: string, by: Origin): Promise<void> {
    return this.decided(new RenameComputer({ computerId, displayName, at: this.clock.now(), by }));
  }

  /** @throws PRINTER_NOT_FOUND */
  updatePrinter(computerId: string, printerId: string, settings: PrinterSettings, by: Origin): Promise<void> {
    return this.decided(new UpdatePrinter({ computerId, printerId, settings, at: this.clock.now(), by }));
  }

  private async decided(command: Command<CommandResult<EnableComputer | UpdatePrinter>>): Promise<void> {
    orRefuse('operator', await this.commands.execute(command));
  }
}
