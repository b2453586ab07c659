import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  DisableComputer,
  EnableComputer,
  RenameComputer,
  RevokeComputer,
  UpdatePrinter,
  type PrinterSettings,
} from '../contexts/devices/index.js';
import { LivenessStore } from '../event-sourcing/index.js';
import type { Command, CommandResult } from '../kernel/command.js';
import type { Origin } from '../kernel/recorded-event.js';
import { Clock, plus } from '../kernel/time.js';
import { AGENT_TIMING, type AgentTiming } from './agent-timing.js';
import { orRefuse } from './errors/answers.js';

/** What members and operators do with a computer and its printers; the caller has checked whose they are. */
@Injectable()
export class ComputerAdministration {
  constructor(
    private readonly commands: CommandBus,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
    @Inject(AGENT_TIMING) private readonly timing: AgentTiming,
  ) {}

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
