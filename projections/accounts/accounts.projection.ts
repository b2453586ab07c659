import type {
  AccountEvent,
  AccountEventData,
  Plan,
} from '../../src/contexts/accounts/domain/account.events.js';
import { idOf } from '../../src/kernel/ids.js';
import type { Projection } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';
import { accountsView, type AccountDocument, type PlanDocument } from './accounts.js';

type Later = Exclude<AccountEvent['type'], 'AccountOpened'>;
type Moves = { readonly [T in Later]: (data: AccountEventData[T], at: Instant) => Partial<AccountDocument> };

const moves: Moves = {
  AccountRenamed: ({ name }) => ({ name }),
  AccountSuspended: () => ({ status: 'suspended' }),
  AccountResumed: () => ({ status: 'active' }),
  AccountClosed: ({ reason }, at) => ({ status: 'closed', closed_at: at, close_reason: reason }),
  AccountSettled: () => ({}),
  EnvironmentSwitched: ({ enabled }) => ({ environment_enabled: enabled }),
  PlanChanged: ({ plan }) => ({ plan: planDocument(plan) }),
};

export const accountsProjection: Projection<AccountDocument, AccountEvent> = {
  view: accountsView,
  category: 'account',
  handles: ['AccountOpened', ...(Object.keys(moves) as Later[])],
  keysOf: (event) => [idOf(event.stream)],

  apply(document, event) {
    const { at } = event.metadata;
    if (event.type === 'AccountOpened') return opened(event.data, at);
    if (!document) return undefined;
    const move = moves[event.type] as (data: object, at: Instant) => Partial<AccountDocument>;
    return { ...document, ...move(event.data, at), updated_at: at };
  },
};

function opened(data: AccountEventData['AccountOpened'], at: Instant): AccountDocument {
  return {
    account_id: data.accountId,
    name: data.name,
    slug: data.slug,
    status: 'active',
    environment_enabled: true,
    virtual_printers_only: data.virtualPrintersOnly,
    plan: planDocument(data.plan),
    ...(data.partnerId !== undefined && { partner_id: data.partnerId }),
    ...(data.externalId !== undefined && { external_id: data.externalId }),
    created_at: at,
    updated_at: at,
  };
}

function planDocument(plan: Plan): PlanDocument {
  return {
    jobs_per_month: plan.jobsPerMonth,
    max_content_bytes: plan.maxContentBytes,
    max_auto_retries: plan.maxAutoRetries,
  };
}
