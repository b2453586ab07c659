import { Field } from '../../../http/validation/field.js';
import { integer, oneOf } from '../../../http/validation/rules.js';
import { isReady, type Checks, type Details } from '../../../kernel/readiness.js';

const KINDS = [
  'not_ready',
  'store_rolled_back',
  'disk_low',
  'timers_overdue',
  'device_credentials_end',
] as const;

/** `rps doctor` warns below the same room. */
const LITTLE_ROOM_BYTES = 1_024 * 1_048_576;

/** Something that an operator should look at. */
export class ServiceAttention {
  @Field(oneOf(...KINDS)) kind!: (typeof KINDS)[number];
  @Field(integer(0, Number.MAX_SAFE_INTEGER), {
    description: 'Failing checks, free MiB, timers or computers; 1 for a store that was rolled back',
  })
  count!: number;
}

export const MAX_ATTENTION = KINDS.length;

interface Condition {
  readonly checks: Checks;
  readonly details: Details;
  /** On the volume of the data folder; undefined if it is not known. */
  readonly freeBytes: number | undefined;
  readonly overdueTimers: number;
  readonly credentialsEnding: number;
}

export function serviceAttention(condition: Condition): readonly ServiceAttention[] {
  const { checks, details, freeBytes, overdueTimers, credentialsEnding } = condition;
  const failing = Object.values(checks).filter((check) => !isReady({ check })).length;
  const isLow = freeBytes !== undefined && freeBytes < LITTLE_ROOM_BYTES;
  const all: readonly (false | ServiceAttention)[] = [
    failing > 0 && { kind: 'not_ready', count: failing },
    details.store_rolled_back === 1 && { kind: 'store_rolled_back', count: 1 },
    isLow && { kind: 'disk_low', count: Math.floor(freeBytes / 1_048_576) },
    overdueTimers > 0 && { kind: 'timers_overdue', count: overdueTimers },
    credentialsEnding > 0 && { kind: 'device_credentials_end', count: credentialsEnding },
  ];
  return all.filter((one) => one !== false);
}
