import { command, type CommandResult } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { ComputerDescription } from './domain/computer.events.js';
import type { ReportedPrinter, SyncInventory } from './domain/computer.commands.js';

/** The token alone authenticates the agent. */
export class RedeemEnrollment extends command('RedeemEnrollment')<
  {
    /** A secret: never logged or stored. */
    token: string;
    installationId: string;
    description: ComputerDescription;
  },
  Redeemed,
  Pick<Origin, 'correlationId' | 'requestId'>
> {}

export type Redeemed =
  | {
      readonly ok: true;
      readonly computerId: string;
      readonly accountId: string;
      readonly friendlyCode: string;
      readonly credential: string;
      readonly credentialExpiresAt: Instant;
    }
  | { readonly ok: false; readonly rejection: { readonly code: 'EnrollmentTokenInvalid' } };

export class ReportInventory extends command('ReportInventory')<
  { accountId: string; computerId: string; printers: readonly ReportedPrinter[] },
  CommandResult<SyncInventory>
> {}
