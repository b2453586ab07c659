import type { ContentPart } from '../../../event-sourcing/index.js';
import { Field, optional } from '../../../http/validation/field.js';
import {
  anyObject,
  constant,
  count,
  dateTime,
  integer,
  listOf,
  object,
  objects,
  oneOf,
  reportedText,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import {
  AppliedOptions,
  type IgnoredOption,
  ignoredOptions,
} from '../../resources/print-options.resource.js';
import {
  contentHash,
  errorCode,
  fence,
  HASH,
  ID,
  JOB_POSITION,
  position,
  POSITION,
  SESSION,
} from '../agent.fields.js';

export class AcceptBody {
  @Field(uuid()) lease_id!: string;
  @Field(fence) fence!: number;
  @Field(contentHash) content_hash!: string;
  @Field(uuid(), SESSION) session_id?: string;

  static readonly example: AcceptBody = { session_id: ID, lease_id: ID, fence: 1, content_hash: HASH };
}

export class HandoffBody {
  @Field(uuid()) lease_id!: string;
  @Field(fence) fence!: number;
  @Field(uuid(), SESSION) session_id?: string;

  static readonly example: HandoffBody = { session_id: ID, lease_id: ID, fence: 1 };
}

const REPORTS = [
  'spooled',
  'spooler_completed',
  'spooler_failed',
  'spooler_cancelled',
  'spooler_vanished',
  'not_submitted',
  'rejected',
] as const;

export class ReportedEvent {
  @Field(uuid(), { description: 'Made by the agent, the same over repeats' }) event_id!: string;
  @Field(uuid()) job_id!: string;
  @Field(uuid()) lease_id!: string;
  @Field(fence) fence!: number;
  @Field(oneOf(...REPORTS)) type!: (typeof REPORTS)[number];
  @Field(dateTime()) occurred_at!: string;
  @Field(reportedText({ max: 64 }), optional) spooler_provider?: string;
  @Field(reportedText({ max: 128 }), optional) spooler_job_id?: string;
  @Field(errorCode, optional) failure_code?: string;
  @Field(oneOf('temporary', 'permanent', 'ambiguous'), optional) failure_class?:
    'temporary' | 'permanent' | 'ambiguous';
  @Field(reportedText({ max: 240 }), optional) message?: string;
  @Field(object(() => AppliedOptions), {
    optional: true,
    description: 'With spooled: what driver or printer confirmed',
  })
  applied?: AppliedOptions;
  @Field(ignoredOptions, { optional: true, description: 'With spooled: the options that were not applied' })
  ignored?: IgnoredOption[];
  @Field(text({ max: 55 }), { optional: true, description: 'Ignored; the header of the call counts' })
  traceparent?: string;
}

/** Each event is validated separately later, so a bad one does not reject the batch. */
export class ReportsBody {
  @Field(uuid(), SESSION) session_id?: string;
  @Field(listOf(anyObject({ description: 'A ReportedEvent' }), { min: 1, max: 100 })) events!: object[];

  static readonly example: ReportsBody = {
    session_id: ID,
    events: [
      {
        event_id: ID,
        job_id: ID,
        lease_id: ID,
        fence: 1,
        type: 'spooled',
        occurred_at: '2026-11-21T12:00:01.000Z',
        spooler_provider: 'cups',
        spooler_job_id: '7',
      },
    ],
  };
}

export class AcceptedJob {
  @Field(uuid()) job_id!: string;
  @Field(count) fence!: number;
  @Field(text({ max: 40 })) status!: string;

  static readonly example: AcceptedJob = { job_id: ID, fence: 1, status: 'accepted_by_agent' };
}

export class HandoffPermit {
  @Field(constant(true)) permit!: boolean;
  @Field(integer(1, 60), { description: 'Begin within this time or ask again' }) permit_seconds!: number;
  @Field(position, POSITION) position!: string;

  static readonly example: HandoffPermit = { permit: true, permit_seconds: 15, position: JOB_POSITION };
}

export class ReportedResult {
  @Field(text({ min: 0, max: 64 })) event_id!: string;
  @Field(oneOf('applied', 'duplicate', 'late', 'rejected')) result!: string;
  @Field(text({ max: 64 }), optional) code?: string;
  @Field(text({ max: 1000 }), optional) message?: string;
}

export class ReportResults {
  @Field(objects(() => ReportedResult, 100))
  results!: ReportedResult[];

  static readonly example: ReportResults = { results: [{ event_id: ID, result: 'applied' }] };
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** Parses one range (RFC 9110, section 14); several ranges or another unit yield the whole document. */
export function byteRange(header: string | undefined, size: number): ContentPart | 'whole' | 'unsatisfiable' {
  const match = header === undefined ? null : RANGE.exec(header);
  if (!match || (match[1] === '' && match[2] === '')) return 'whole';
  const [, from, to] = match as unknown as [string, string, string];
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, end: size };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return 'whole';
  if (first >= size) return 'unsatisfiable';
  return { first, end: to === '' ? size : Math.min(Number(to) + 1, size) };
}
