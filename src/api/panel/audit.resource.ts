import type { AuditDocument, AuditSubject } from '../../../projections/audit/audit.js';
import { Field } from '../../http/validation/field.js';
import { present } from '../../http/validation/present.js';
import { dateTime, object, oneOf, text, uuid } from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';
import { NamedActor } from './actor-names.js';

const SUBJECTS = [
  ...(['account', 'member', 'session', 'api_key', 'enrollment'] as const),
  ...(['computer', 'printer', 'webhook', 'job'] as const),
];

class Subject implements AuditSubject {
  @Field(oneOf(...SUBJECTS)) kind!: AuditSubject['kind'];
  @Field(uuid()) id!: string;
}

/** Who did what, and when. */
export class AuditEntry {
  @Field(uuid()) event_id!: string;
  @Field(dateTime()) recorded_at!: Instant;
  @Field(object(() => NamedActor)) actor!: NamedActor;
  @Field(text({ max: 60 }), { description: 'Type of the stored event' }) action!: string;
  @Field(object(() => Subject)) subject!: Subject;
  @Field(text({ max: 200 }), { nullable: true }) request_id!: string | null;

  static readonly example: AuditEntry = {
    event_id: '01990000-0000-7000-8000-000000000005',
    recorded_at: '2026-11-23T12:00:00.000Z',
    actor: NamedActor.example,
    action: 'ApiKeyCreated',
    subject: { kind: 'api_key', id: '01990000-0000-7000-8000-000000000004' },
    request_id: '01990000-0000-7000-8000-000000000007',
  };
}

export function auditEntry(document: AuditDocument, actor: NamedActor): AuditEntry {
  return present(AuditEntry, document, { actor });
}
