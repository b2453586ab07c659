import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

/** An integrator. Its slug is already claimed. Repeating it writes nothing. */
export class CreatePartner {
  readonly kind = 'CreatePartner';
  constructor(
    readonly partnerId: string,
    readonly name: string,
    readonly slug: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export type PartnerCommand = CreatePartner;
