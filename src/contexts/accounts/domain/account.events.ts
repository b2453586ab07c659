import type { EventsOf } from '../../../kernel/recorded-event.js';

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
