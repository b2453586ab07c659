import type { EventMetadata } from '../../../kernel/recorded-event.js';
import { momentOf } from '../../../http/validation/rules.js';

const KINDS: Readonly<Record<EventMetadata['actor']['kind'], true>> = {
  api_key: true,
  partner: true,
  device: true,
  enrollment: true,
  operator: true,
  process: true,
};

/** True if the value has the form of our event metadata. */
export function isMetadata(value: unknown): value is EventMetadata {
  if (!isRecord(value)) return false;
  const { at, schemaVersion, correlationId, actor, requestId, causationId, ...rest } = value;
  return (
    Object.keys(rest).length === 0 &&
    isText(at) &&
    momentOf(at) !== undefined &&
    Number.isSafeInteger(schemaVersion) &&
    (schemaVersion as number) >= 1 &&
    isText(correlationId) &&
    isActor(actor) &&
    [requestId, causationId].every((id) => id === undefined || isText(id))
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
