import type { EventsOf } from '../../../kernel/recorded-event.js';

export interface PartnerEventData {
  readonly PartnerCreated: { readonly partnerId: string; readonly name: string; readonly slug: string };
}

export type PartnerEvent = EventsOf<PartnerEventData>;

export type PartnerCredentialKind = 'live' | 'test';

export interface PartnerCredentialEventData {
  readonly PartnerCredentialCreated: {
    readonly credentialId: string;
    readonly partnerId: string;
    /** A test credential is for diagnostics only. */
    readonly kind: PartnerCredentialKind;
    readonly scopes: readonly string[];
    readonly hash: string;
    readonly last4: string;
  };
  readonly PartnerCredentialRevoked: Record<string, never>;
}

export type PartnerCredentialEvent = EventsOf<PartnerCredentialEventData>;
