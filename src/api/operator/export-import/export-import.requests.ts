import { Field, optional } from '../../../http/validation/field.js';
import { printContent, type PrintContent } from '../../../http/validation/print-content.js';
import { integer, listOf, momentOf, type Rule, shaped, text, uuid } from '../../../http/validation/rules.js';
import type { EventMetadata } from '../../../kernel/recorded-event.js';

const KINDS: Readonly<Record<EventMetadata['actor']['kind'], true>> = {
  api_key: true,
  partner: true,
  device: true,
  enrollment: true,
  operator: true,
  member: true,
  process: true,
};

/** True if the value has the form of our event metadata. */
function isMetadata(value: unknown): value is EventMetadata {
  if (!isRecord(value)) return false;
  const { at, schemaVersion, correlationId, actor, requestId, causationId, accountId, ...rest } = value;
  return (
    Object.keys(rest).length === 0 &&
    isText(at) &&
    momentOf(at) !== undefined &&
    Number.isSafeInteger(schemaVersion) &&
    (schemaVersion as number) >= 1 &&
    isText(correlationId) &&
    isActor(actor) &&
    [requestId, causationId, accountId].every((id) => id === undefined || isText(id))
  );
}

function isActor(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { kind, id } = value;
  return isText(kind) && Object.hasOwn(KINDS, kind) && isText(id);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 500;

const anObject: Rule = {
  ...shaped({ type: 'object' }),
  says: 'must be an object',
  accepts: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};
const metadata: Rule = {
  ...shaped({ type: 'object' }),
  says: 'must hold at, schemaVersion, correlationId and actor as they were exported',
  accepts: isMetadata,
};

/** An event as shown by `GET /operator/events`. Its position belongs to the source and is not imported. */
export class ExportedEvent {
  @Field(uuid()) event_id!: string;
  @Field(text({ max: 60, pattern: /^[A-Z][A-Za-z]*$/, says: 'must be the type of an event' })) type!: string;
  @Field(text({ max: 130, pattern: /^[A-Za-z]{1,40}-[0-9a-fA-F-]{1,80}$/, says: 'must be a stream' }))
  stream!: string;
  @Field(integer(0, 1_000_000_000)) revision!: number;
  @Field(text({ max: 20 }), optional) position?: string;
  @Field(text({ max: 40 }), optional) recorded_at?: string;
  @Field(anObject) data!: object;
  @Field(metadata) metadata!: EventMetadata;
}

export class ImportBody {
  @Field(listOf(anObject, { min: 1, max: 500 })) events!: object[];
}

export class ContentBody {
  @Field(printContent()) content!: PrintContent;
}

export class ContentsQuery {
  @Field(integer(1, 1000), optional) limit: number = 100;
  @Field(uuid(), optional) after?: string;
}
