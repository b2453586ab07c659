import { projections as all } from '../../src/app/configured-projections.js';
import type { AnyProjection } from '../../src/kernel/projection.js';

/** Without the projections that only charts read: the totals of jobs by hour, and availability. */
export const projections: readonly AnyProjection[] = all
  .filter(({ view }) => view.name !== 'availability')
  .map((projection) => {
    const { view } = projection;
    const countBy = view.countBy?.filter((fields) => !fields.includes('created_hour'));
    return { ...projection, view: { ...view, ...(countBy && { countBy }) } };
  });
