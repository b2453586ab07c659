import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { PartnerEvent } from './partner.events.js';

/** Creates an integrator whose slug is already claimed. Repeating it writes nothing. */
export class CreatePartner extends Command<Outcome<unknown, PartnerEvent, never>> {
  readonly kind = 'CreatePartner';
  constructor(
    readonly partnerId: string,
    readonly name: string,
    readonly slug: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type PartnerCommand = CreatePartner;
