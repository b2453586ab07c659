// Written by `npm run types` from the OpenAPI documents of the service. Do not edit.
export interface CreateAccountBody {
  name: string;
  slug?: string;
  virtual_printers_only?: boolean;
  jobs_per_month?: number | null;
  max_content_bytes?: number;
  max_auto_retries?: number;
}
export interface OperatedAccount {
  contract: 'svc_api_account_v1';
  account_id: string;
  name: string;
  slug: string;
  status: 'active' | 'suspended' | 'closed';
  environment_enabled: boolean;
  virtual_printers_only: boolean;
  created_at: string;
  plan: AccountPlan;
  partner_id: string | null;
  external_id: string | null;
  updated_at: string;
  closed_at: string | null;
}
export interface AccountPlan {
  jobs_per_month: number | null;
  max_content_bytes: number;
  max_auto_retries: number;
}
export interface OperatedAccounts {
  /**
   * Newest first
   *
   * @minItems 0
   * @maxItems 1000
   */
  items: OperatedAccount[];
  total: number;
}
export interface CloseBody {
  reason?: string;
}
export interface PlanBody {
  jobs_per_month?: number | null;
  max_content_bytes?: number;
  max_auto_retries?: number;
}
export interface CreatePartnerBody {
  name: string;
}
export interface Partner {
  partner_id: string;
  name: string;
  /**
   * Its short name
   */
  partner: string;
  created_at: string;
}
export interface Partners {
  /**
   * Newest first
   *
   * @minItems 0
   * @maxItems 1000
   */
  items: Partner[];
  total: number;
}
export interface PartnerCredentials {
  /**
   * Newest first
   *
   * @minItems 0
   * @maxItems 1000
   */
  items: PartnerCredential[];
}
export interface PartnerCredential {
  credential_id: string;
  partner_id: string;
  kind: 'live' | 'test';
  /**
   * @minItems 0
   * @maxItems 32
   */
  scopes: string[];
  status: 'active' | 'revoked';
  /**
   * The last four characters of the secret
   */
  last4: string;
  created_at: string;
  /**
   * To the minute
   */
  last_used_at: string | null;
  revoked_at?: string;
}
export interface CreateCredentialBody {
  kind: 'live' | 'test';
  /**
   * @minItems 1
   * @maxItems 32
   */
  scopes: string[];
}
export interface NewPartnerCredential {
  credential_id: string;
  partner_id: string;
  kind: 'live' | 'test';
  /**
   * @minItems 0
   * @maxItems 32
   */
  scopes: string[];
  status: 'active' | 'revoked';
  /**
   * The last four characters of the secret
   */
  last4: string;
  created_at: string;
  /**
   * To the minute
   */
  last_used_at: string | null;
  revoked_at?: string;
  /**
   * A secret, shown this once
   */
  credential: string;
}
export interface InviteMemberBody {
  name: string;
  display_name?: string;
  role: 'viewer' | 'developer' | 'owner';
  ttl?: number;
}
export interface MemberWithLink {
  member_id: string;
  name: string;
  /**
   * What the person enters to sign in
   */
  sign_in_name: string;
  display_name: string;
  role: 'viewer' | 'developer' | 'owner';
  status: 'active' | 'removed';
  has_password: boolean;
  invited_at: string;
  link: PanelLinkResource;
}
export interface PanelLinkResource {
  /**
   * A secret, shown this once
   */
  url: string;
  expires_at: string;
}
export interface StoredEvents {
  /**
   * Oldest first
   *
   * @minItems 0
   * @maxItems 1000
   */
  items: StoredEvent[];
  has_more: boolean;
}
export interface StoredEvent {
  event_id: string;
  type: string;
  stream: string;
  /**
   * Position in its stream
   */
  revision: number;
  /**
   * Position among all events
   */
  position: string;
  recorded_at: string;
  data: {};
  /**
   * Actor, ids and time
   */
  metadata: {};
}
export interface StreamStatesPage {
  /**
   * Oldest first
   *
   * @minItems 0
   * @maxItems 200
   */
  items: StreamState[];
  has_more: boolean;
}
export interface StreamState {
  event_id: string;
  revision: number;
  position: string;
  /**
   * As the service decides on it
   */
  state: {};
}
export interface ViewVerifications {
  /**
   * @minItems 0
   * @maxItems 100
   */
  items: ViewVerified[];
}
export interface ViewVerified {
  name: string;
  equal: boolean;
  documents: number;
  live_digest: string;
  replay_digest: string;
}
export interface SearchResults {
  /**
   * @minItems 0
   * @maxItems 20
   */
  results: SearchResult[];
}
export interface SearchResult {
  kind: 'job' | 'computer' | 'account' | 'partner';
  id: string;
  account_id?: string;
  title: string;
  /**
   * What tells it from others of the same title
   */
  detail: string;
}
export interface ServiceState {
  ready: boolean;
  checks: {
    [k: string]: 'ok' | 'failing' | 'lagging';
  };
  versions: ServiceVersions;
  stores: 'embedded' | 'servers';
  role: 'all' | 'api' | 'worker';
  /**
   * @minItems 0
   * @maxItems 100
   */
  views: ViewState[];
  /**
   * Due for more than a minute; at most 100 are counted
   */
  overdue_timers: number;
  /**
   * Device credentials that end within 14 days; at most 100 are counted
   */
  credentials_ending: number;
  /**
   * Unfinished webhook deliveries
   */
  deliveries: {
    ready: number;
    waiting: number;
    in_flight: number;
  };
  /**
   * Of all accounts, by status
   */
  jobs: {
    created: number;
    queued: number;
    leased: number;
    accepted_by_agent: number;
    sent_to_spooler: number;
    spooler_completed: number;
    failed: number;
    manual_review: number;
    cancelled: number;
    expired: number;
  };
  /**
   * @minItems 0
   * @maxItems 5
   */
  attention: ServiceAttention[];
  time: string;
}
export interface ServiceVersions {
  product: string;
  contract: 'v1';
}
export interface ViewState {
  name: string;
  version: number;
  /**
   * Of the last event it has seen
   */
  position?: string;
  /**
   * Events it is behind
   */
  lag: number;
}
export interface ServiceAttention {
  kind: 'not_ready' | 'store_rolled_back' | 'disk_low' | 'timers_overdue' | 'device_credentials_end';
  /**
   * Failing checks, free MiB, timers or computers; 1 for a store that was rolled back
   */
  count: number;
}
export interface ServiceActivity {
  from: string;
  to: string;
  /**
   * Oldest first
   *
   * @minItems 0
   * @maxItems 720
   */
  jobs: HourOfJobs[];
  /**
   * Of all jobs, from creation to the spooler
   */
  p50_ms: number | null;
  p95_ms: number | null;
  /**
   * Oldest first
   *
   * @minItems 0
   * @maxItems 720
   */
  deliveries: HourOfDeliveries[];
  /**
   * Created within the last full hour
   */
  jobs_per_minute: number;
  /**
   * Created within the last full hour
   */
  deliveries_per_minute: number;
  /**
   * Of the jobs of the last full hour, those that failed or need a decision
   */
  failed_share: number;
}
export interface HourOfJobs {
  /**
   * When the hour began, in UTC
   */
  hour: string;
  created: number;
  completed: number;
  /**
   * Also those of which a retry is scheduled
   */
  failed: number;
  in_review: number;
  expired: number;
  cancelled: number;
  /**
   * Waiting, or at the Agent or the spooler
   */
  unfinished: number;
  /**
   * Half of them were at the spooler within this time
   */
  p50_ms: number | null;
  /**
   * Of 95 %
   */
  p95_ms: number | null;
}
export interface HourOfDeliveries {
  /**
   * When the hour began, in UTC
   */
  hour: string;
  delivered: number;
  /**
   * Tried no more
   */
  failed: number;
  /**
   * Cancelled, or not ended yet
   */
  other: number;
}
export interface ListAccountsQuery {
  limit?: number;
  offset?: number;
}
export interface ListPartnersQuery {
  limit?: number;
  offset?: number;
}
export interface ReadStreamQuery {
  limit?: number;
  after?: string;
}
export interface ReadStreamStatesQuery {
  limit?: number;
  after?: string;
}
export interface SearchQuery {
  /**
   * Begins an id, a name, a code, a title or an external id
   */
  q?: string;
}
export interface GetServiceActivityQuery {
  /**
   * The present hour is the last
   */
  hours?: number;
}

export interface Operations {
  openAccount: {
    body: CreateAccountBody;
    query: undefined;
    data: OperatedAccount;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SLUG_TAKEN'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  listAccounts: {
    body: undefined;
    query: ListAccountsQuery;
    data: OperatedAccounts;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE';
  };
  suspendAccount: {
    body: undefined;
    query: undefined;
    data: OperatedAccount;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'ACCOUNT_NOT_FOUND'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  resumeAccount: {
    body: undefined;
    query: undefined;
    data: OperatedAccount;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'ACCOUNT_NOT_FOUND'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  closeAccount: {
    body: CloseBody;
    query: undefined;
    data: OperatedAccount;
    codes:
      | 'ACCOUNT_NOT_FOUND'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  changePlan: {
    body: PlanBody;
    query: undefined;
    data: OperatedAccount;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'ACCOUNT_NOT_FOUND'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  createPartner: {
    body: CreatePartnerBody;
    query: undefined;
    data: Partner;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  listPartners: {
    body: undefined;
    query: ListPartnersQuery;
    data: Partners;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE';
  };
  listPartnerCredentials: {
    body: undefined;
    query: undefined;
    data: PartnerCredentials;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PARTNER_NOT_FOUND'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE';
  };
  createPartnerCredential: {
    body: CreateCredentialBody;
    query: undefined;
    data: NewPartnerCredential;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PARTNER_NOT_FOUND'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  revokePartnerCredential: {
    body: undefined;
    query: undefined;
    data: PartnerCredential;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'CREDENTIAL_NOT_FOUND'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  inviteMemberOf: {
    body: InviteMemberBody;
    query: undefined;
    data: MemberWithLink;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'ACCOUNT_NOT_FOUND'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'MEMBER_LIMIT_REACHED'
      | 'METHOD_NOT_ALLOWED'
      | 'NAME_TAKEN'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  readStream: {
    body: undefined;
    query: ReadStreamQuery;
    data: StoredEvents;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'STREAM_NOT_FOUND'
      | 'UNAVAILABLE';
  };
  readStreamStates: {
    body: undefined;
    query: ReadStreamStatesQuery;
    data: StreamStatesPage;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'STREAM_NOT_FOUND'
      | 'UNAVAILABLE';
  };
  verifyViews: {
    body: undefined;
    query: undefined;
    data: ViewVerifications;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  search: {
    body: undefined;
    query: SearchQuery;
    data: SearchResults;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE';
  };
  getService: {
    body: undefined;
    query: undefined;
    data: ServiceState;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE';
  };
  getServiceActivity: {
    body: undefined;
    query: GetServiceActivityQuery;
    data: ServiceActivity;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE';
  };
}

export const operations = {
  openAccount: { method: 'POST', path: '/operator/accounts', scopes: [], keyed: false },
  listAccounts: { method: 'GET', path: '/operator/accounts', scopes: [], keyed: false },
  suspendAccount: { method: 'POST', path: '/operator/accounts/{id}/suspend', scopes: [], keyed: false },
  resumeAccount: { method: 'POST', path: '/operator/accounts/{id}/resume', scopes: [], keyed: false },
  closeAccount: { method: 'POST', path: '/operator/accounts/{id}/close', scopes: [], keyed: false },
  changePlan: { method: 'POST', path: '/operator/accounts/{id}/plan', scopes: [], keyed: false },
  createPartner: { method: 'POST', path: '/operator/partners', scopes: [], keyed: false },
  listPartners: { method: 'GET', path: '/operator/partners', scopes: [], keyed: false },
  listPartnerCredentials: {
    method: 'GET',
    path: '/operator/partners/{id}/credentials',
    scopes: [],
    keyed: false,
  },
  createPartnerCredential: {
    method: 'POST',
    path: '/operator/partners/{id}/credentials',
    scopes: [],
    keyed: false,
  },
  revokePartnerCredential: {
    method: 'POST',
    path: '/operator/credentials/{id}/revoke',
    scopes: [],
    keyed: false,
  },
  inviteMemberOf: { method: 'POST', path: '/operator/accounts/{id}/members', scopes: [], keyed: false },
  readStream: { method: 'GET', path: '/operator/streams/{name}', scopes: [], keyed: false },
  readStreamStates: { method: 'GET', path: '/operator/streams/{name}/states', scopes: [], keyed: false },
  verifyViews: { method: 'POST', path: '/operator/views/verify', scopes: [], keyed: false },
  search: { method: 'GET', path: '/operator/search', scopes: [], keyed: false },
  getService: { method: 'GET', path: '/operator/service', scopes: [], keyed: false },
  getServiceActivity: { method: 'GET', path: '/operator/activity', scopes: [], keyed: false },
} as const;
