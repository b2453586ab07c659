import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

export interface PartnerDocument {
  readonly partner_id: string;
  readonly name: string;
  readonly partner: string;
  readonly created_at: Instant;
}

export const partnersView: ViewDefinition<PartnerDocument> = { name: 'partners', version: 1, indexes: [] };
