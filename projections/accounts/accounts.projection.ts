import type {
  AccountEvent,
  AccountEventData,
  Plan,
  PartnerEvent,
} from '../../src/contexts/accounts/domain/account.events.js';
import { idOf } from '../../src/kernel/ids.js';
import { changesBy, typesOf, type Moves, type Projection } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';
import {
  accountsView,
  type AccountDocument,
  type PlanDocument,
  partnersView,
  type PartnerDocument,
} from './accounts.js';

const moves: Moves<AccountDocument, Omit<AccountEventData, 'AccountOpened'>> = {
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
  handles: ['AccountOpened', ...typesOf(moves)],
  keysOf: (event) => [idOf(event.stream)],

  apply(document, event) {
    const { at } = event.metadata;
    if (event.type === 'AccountOpened') return opened(event.data, at);
    if (!document) return undefined;
    return { ...document, ...changesBy(moves, event, document), updated_at: at };
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

export const partnersProjection: Projection<PartnerDocument, PartnerEvent> = {
  view: partnersView,
  category: 'partner',
  handles: ['PartnerCreated'],
  keysOf: (event) => [idOf(event.stream)],

  apply(_document, { data, metadata }) {
    return { partner_id: data.partnerId, name: data.name, partner: data.slug, created_at: metadata.at };
  },
};
