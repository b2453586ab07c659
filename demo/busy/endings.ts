import type { Chance } from './chance.js';

/** What becomes of a job of yesterday. */
export type Ending =
  | 'printed'
  | 'rejected'
  | 'retried'
  | 'cancelled'
  | 'expired'
  | 'printed again'
  | 'in review'
  | 'late result';

const COUNTS: Readonly<Record<Ending, number>> = {
  printed: 245,
  rejected: 14,
  retried: 12,
  cancelled: 10,
  expired: 6,
  'printed again': 4,
  'in review': 2,
  'late result': 1,
};

/** 294 endings in a fixed order; six more jobs are left on their way. */
export function endingsOf(chance: Chance): readonly Ending[] {
  const all = Object.entries(COUNTS).flatMap(([ending, count]) =>
    Array<Ending>(count).fill(ending as Ending),
  );
  return chance.shuffled(all);
}
