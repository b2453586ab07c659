export interface PartnerCreated {
  readonly type: 'PartnerCreated';
  readonly data: { readonly partnerId: string; readonly name: string; readonly slug: string };
}

export type PartnerEvent = PartnerCreated;

export type PartnerCredentialKind = 'live' | 'test';

export interface PartnerCredentialCreated {
  readonly type: 'PartnerCredentialCreated';
  readonly data: {
    readonly credentialId: string;
    readonly partnerId: string;
    /** A test credential is for diagnostics only. */
    readonly kind: PartnerCredentialKind;
    readonly scopes: readonly string[];
    readonly hash: string;
    readonly last4: string;
  };
}

export interface PartnerCredentialRevoked {
  readonly type: 'PartnerCredentialRevoked';
  readonly data: Record<string, never>;
}

export type PartnerCredentialEvent = PartnerCredentialCreated | PartnerCredentialRevoked;
