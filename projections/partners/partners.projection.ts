import type { PartnerEvent } from '../../src/contexts/accounts/domain/account.events.js';
import { idOf } from '../../src/kernel/ids.js';
import type { Projection } from '../../src/kernel/projection.js';
import { partnersView, type PartnerDocument } from './partners.js';

export const partnersProjection: Projection<PartnerDocument, PartnerEvent> = {
  view: partnersView,
  category: 'partner',
  handles: ['PartnerCreated'],
  keysOf: (event) => [idOf(event.stream)],

  apply(_document, { data, metadata }) {
    return { partner_id: data.partnerId, name: data.name, partner: data.slug, created_at: metadata.at };
  },
};
