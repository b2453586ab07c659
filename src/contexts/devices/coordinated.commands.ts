import { Command, type CommandResult } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { ComputerDescription } from './domain/computer.events.js';
import type { ReportedPrinter, SyncInventory } from './domain/computer.commands.js';

/** Redeems a token for a device credential. The token alone authenticates the agent. */
export class RedeemEnrollment extends Command<Redeemed> {
  constructor(
    /** A secret: never logged or stored. */
    readonly token: string,
    readonly installationId: string,
    readonly description: ComputerDescription,
    readonly at: Instant,
    readonly origin: Pick<Origin, 'correlationId' | 'requestId'>,
  ) {
    super();
  }
}

export type Redeemed =
  | {
      readonly ok: true;
      readonly computerId: string;
      /** A secret, shown only here. */
      readonly credential: string;
      readonly credentialExpiresAt: Instant;
    }
  | { readonly ok: false; readonly rejection: { readonly code: 'EnrollmentTokenInvalid' } };

/** The complete inventory as sent by the agent; new printers get their ids here. */
export class ReportInventory extends Command<CommandResult<SyncInventory>> {
  constructor(
    readonly accountId: string,
    readonly computerId: string,
    readonly printers: readonly ReportedPrinter[],
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}
