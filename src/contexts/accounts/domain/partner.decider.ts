import { accept, type Decider } from '../../../kernel/decider.js';
import type { PartnerCommand } from './partner.commands.js';
import type { PartnerEvent } from './partner.events.js';

export interface Partner {
  readonly status: 'absent' | 'active';
}

/** Has no rejection: a taken slug fails at its claim. */
export type PartnerRejection = never;

export const partnerDecider: Decider<Partner, PartnerCommand, PartnerEvent, PartnerRejection> = {
  initialState: { status: 'absent' },

  decide(partner, { partnerId, name, slug }) {
    if (partner.status === 'active') return accept();
    return accept({ type: 'PartnerCreated', data: { partnerId, name, slug } });
  },

  evolve() {
    return { status: 'active' };
  },
};
