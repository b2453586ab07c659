// Written by `npm run types` from the OpenAPI documents of the service. Do not edit.
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
export interface ReadStreamQuery {
  limit?: number;
  after?: string;
}

export interface Operations {
  readStream: {
    body: undefined;
    query: ReadStreamQuery;
    data: StoredEvents;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'STREAM_NOT_FOUND'
      | 'UNAVAILABLE';
  };
  verifyViews: {
    body: undefined;
    query: undefined;
    data: ViewVerifications;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  getService: {
    body: undefined;
    query: undefined;
    data: ServiceState;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'UNAVAILABLE';
  };
}

export const operations = {
  readStream: { method: 'GET', path: '/operator/streams/{name}', scopes: [], keyed: false },
  verifyViews: { method: 'POST', path: '/operator/views/verify', scopes: [], keyed: false },
  getService: { method: 'GET', path: '/operator/service', scopes: [], keyed: false },
} as const;
