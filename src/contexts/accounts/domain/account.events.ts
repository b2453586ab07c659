import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

export const ACCOUNT_STATUSES = ['active', 'suspended', 'closed'] as const;

export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export interface Plan {
  readonly jobsPerMonth: number | null;
  /** Of decoded content; at most 10,485,760. */
  readonly maxContentBytes: number;
  /** 1..10 */
  readonly maxAutoRetries: number;
}

export interface AccountDetails {
  readonly name: string;
  readonly slug: string;
  readonly virtualPrintersOnly: boolean;
  readonly plan: Plan;
  /** The partner that provisioned it, with the partner's own id for the account. */
  readonly partnerId?: string;
  readonly externalId?: string;
}

export interface AccountEventData {
  readonly AccountOpened: AccountDetails & { readonly accountId: string };
  readonly AccountRenamed: { readonly name: string };
  readonly AccountSuspended: Record<string, never>;
  readonly AccountResumed: Record<string, never>;
  readonly AccountClosed: { readonly reason: string };
  readonly AccountSettled: Record<string, never>;
  readonly EnvironmentSwitched: { readonly enabled: boolean };
  readonly PlanChanged: { readonly plan: Plan };
}

export type AccountEvent = EventsOf<AccountEventData>;

export interface ApiKeyEventData {
  readonly ApiKeyCreated: {
    readonly keyId: string;
    readonly accountId: string;
    readonly name?: string;
    readonly scopes: readonly string[];
    readonly hash: string;
    readonly last4: string;
    readonly expiresAt?: Instant;
  };
  readonly ApiKeyRevoked: Record<string, never>;
}

export type ApiKeyEvent = EventsOf<ApiKeyEventData>;

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
