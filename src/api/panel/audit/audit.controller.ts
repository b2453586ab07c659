import { Controller, Query } from '@nestjs/common';
import type { AuditDocument, AuditedSource, AuditSubject } from '../../../../projections/audit/audit.js';
import { AuditQueries } from '../../../../projections/audit/audit.queries.js';
import { EvidenceLog } from '../../../evidence/evidence-log.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, orNull, present } from '../../../http/validation/field.js';
import {
  boolean,
  dateTime,
  integer,
  object,
  objects,
  oneOf,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import type { Actor } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import { CursorLists, CursorQuery } from '../../lists.js';
import { ActorNames, NamedActor } from '../actor-names.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';

export class AuditQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
}

const SUBJECTS = [
  ...(['account', 'member', 'session', 'api_key', 'enrollment'] as const),
  ...(['computer', 'printer', 'webhook', 'job', 'stream'] as const),
];

class Subject implements AuditSubject {
  @Field(oneOf(...SUBJECTS)) kind!: AuditSubject['kind'];
  @Field(text({ max: 128 }), { description: 'An id; of a stream its name' }) id!: string;
  @Field(text({ max: 2_048 }), { nullable: true, description: 'If it has one: of a job the title' })
  name!: string | null;
}

class FailedSignInSource implements AuditedSource {
  @Field(oneOf('link', 'password')) by!: AuditedSource['by'];
  @Field(text({ max: 200 }), orNull) address!: string | null;
  @Field(integer(1, Number.MAX_SAFE_INTEGER)) count!: number;
  @Field(dateTime()) first_at!: Instant;
  @Field(dateTime()) last_at!: Instant;
}

export class AuditEntry {
  @Field(uuid()) event_id!: string;
  @Field(dateTime()) recorded_at!: Instant;
  @Field(object(() => NamedActor)) actor!: NamedActor;
  @Field(text({ max: 60 }), { description: 'Type of the stored event' }) action!: string;
  @Field(object(() => Subject)) subject!: Subject;
  @Field(text({ max: 200 }), orNull) request_id!: string | null;
  @Field(text({ max: 200 }), { nullable: true, description: 'Where a sign-in came from' })
  address!: string | null;
  @Field(text({ max: 200 }), orNull) user_agent!: string | null;
  @Field(object(() => NamedActor), { nullable: true, description: 'Made the link of a sign-in' })
  link_by!: NamedActor | null;
  @Field(integer(1, Number.MAX_SAFE_INTEGER), {
    nullable: true,
    description: 'Failed sign-ins of the hour up to this one; with `sources`, how many they are',
  })
  failures!: number | null;
  @Field(objects(() => FailedSignInSource, 100), {
    nullable: true,
    description:
      'Failed sign-ins after the twentieth of an hour, by address; those beyond a thousand in a minute are in ' +
      '`failures` alone',
  })
  sources!: FailedSignInSource[] | null;

  static readonly example: AuditEntry = {
    event_id: '01990000-0000-7000-8000-000000000005',
    recorded_at: '2026-11-23T12:00:00.000Z',
    actor: NamedActor.example,
    action: 'ApiKeyCreated',
    subject: { kind: 'api_key', id: '01990000-0000-7000-8000-000000000004', name: null },
    request_id: '01990000-0000-7000-8000-000000000007',
    ...{ address: null, user_agent: null, link_by: null, failures: null, sources: null },
  };
}

/** The people whose names an entry shows. */
const peopleOf = ({ actor, link_by }: AuditDocument): readonly Actor[] => [
  actor,
  ...(link_by ? [link_by] : []),
];

type Named = readonly [
  actor: (actor: Actor) => NamedActor,
  subject: (subject: AuditSubject) => string | null,
];

function auditEntry(document: AuditDocument, [actor, nameOf]: Named): AuditEntry {
  const { link_by, subject } = document;
  const people = { actor: actor(document.actor), link_by: link_by ? actor(link_by) : null };
  return present(AuditEntry, document, { ...people, subject: { ...subject, name: nameOf(subject) } });
}

/** How far the evidence log is, which is one for all accounts. */
export class EvidenceStatus {
  @Field(dateTime(), { nullable: true, description: 'Of the newest checkpoint; null before the first' })
  checkpoint_at!: Instant | null;
  @Field(integer(0, Number.MAX_SAFE_INTEGER), {
    description: 'Events of all accounts that the newest checkpoint covers',
  })
  events!: number;
  @Field(integer(0, Number.MAX_SAFE_INTEGER), { description: 'Logged events that it does not cover yet' })
  events_behind!: number;
  @Field(boolean(), { description: 'The log does not fit the stored events: nothing is signed' })
  halted!: boolean;

  static readonly example: EvidenceStatus = {
    checkpoint_at: '2026-11-23T12:00:00.000Z',
    ...{ events: 48_211, events_behind: 3, halted: false },
  };
}

const Operation = operationsOf(panel, { limit: { perMinute: 60 } });

@Controller()
export class PanelAuditController {
  constructor(
    private readonly audit: AuditQueries,
    private readonly lists: CursorLists,
    private readonly names: ActorNames,
    private readonly log: EvidenceLog,
  ) {}

  @Operation({
    id: 'listAudit',
    route: 'GET /v1/panel/audit',
    summary: 'List who changed what',
    description: 'Newest first. It begins with the release that brought the panel.',
    tag: 'Members',
    scopes: ['account:read'],
    query: AuditQuery,
    success: ok('A page of entries.', AuditEntry, { list: 'cursor' }),
  })
  async list(@Query() query: AuditQuery, @Caller() caller: MemberPrincipal) {
    const { accountId } = caller;
    const list = this.lists.open('audit', caller, accountId, query);
    const { documents, ...page } = await list.read((keyset) => this.audit.listEntries(accountId, keyset));
    const named = await Promise.all([
      this.names.of(accountId, documents.flatMap(peopleOf)),
      this.names.ofSubjects(
        accountId,
        documents.map(({ subject }) => subject),
      ),
    ]);
    return { items: documents.map((entry) => auditEntry(entry, named)), ...page };
  }

  /** The proofs themselves are those of the Integration API, which takes the session too. */
  @Operation({
    id: 'getEvidenceStatus',
    route: 'GET /v1/panel/evidence',
    summary: 'Get the state of the evidence log',
    tag: 'Account',
    scopes: ['evidence:read'],
    success: ok('How far the log is.', EvidenceStatus),
  })
  async status(): Promise<EvidenceStatus> {
    const { size, log, halt } = await this.log.progress();
    const { at, size: events } = log?.checkpoint ?? { at: null, size: 0 };
    // While the hashes are built again, fewer are logged than the newest checkpoint covers.
    const events_behind = Math.max(0, size - events);
    return { checkpoint_at: at, events, events_behind, halted: halt !== undefined };
  }
}
