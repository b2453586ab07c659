import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Actor } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';

export interface AuditSubject {
  readonly kind:
    | 'account'
    | 'member'
    | 'session'
    | 'api_key'
    | 'enrollment'
    | 'computer'
    | 'printer'
    | 'webhook'
    | 'job'
    | 'stream';
  readonly id: string;
}

export interface AuditedSource {
  readonly by: 'link' | 'password';
  readonly address: string | null;
  readonly count: number;
  readonly first_at: Instant;
  readonly last_at: Instant;
}

/** A change in an account, or a document shown to a person. */
export interface AuditDocument {
  readonly event_id: string;
  readonly account_id: string;
  readonly recorded_at: Instant;
  readonly actor: Actor;
  readonly action: string;
  readonly subject: AuditSubject;
  readonly request_id?: string;
  readonly address?: string;
  readonly user_agent?: string;
  readonly link_by?: Actor;
  /** Failed sign-ins of the hour up to this one; with `sources`, how many they are. */
  readonly failures?: number;
  readonly sources?: readonly AuditedSource[];
  readonly session_of?: string;
}

export const auditView: ViewDefinition<AuditDocument> = {
  name: 'audit',
  version: 2,
  indexes: [{ fields: ['account_id'] }, { fields: ['session_of'] }],
};
