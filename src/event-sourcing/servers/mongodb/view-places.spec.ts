import type { ViewDefinition } from '../../../kernel/projection.js';
import { epochIn, keepsTotals, newPlace, versionIn } from './view-places.js';

const view: ViewDefinition = { name: 'job-view', version: 3, indexes: [] };

describe('naming the collection of a build', () => {
  it('tells version, epoch and totals', () => {
    const plain = newPlace(view, 7);
    const counted = newPlace({ ...view, countBy: [['status']] }, 7);
    expect([plain, counted].map((place) => [versionIn(place, view), epochIn(place, view)])).toEqual([
      [3, 7],
      [3, 7],
    ]);
    expect([plain, counted].map(keepsTotals)).toEqual([false, true]);
  });

  it('gives texts of earlier releases no version, so that they are built anew and then dropped', () => {
    const place = 'job_view_v3_7_6740a1b2c3d4e5f6a7b8c9d0_t';
    expect([versionIn(place, view), epochIn(place, view)]).toEqual([undefined, 7]);
    expect(epochIn('accounts_v3_7_6740a1b2c3d4e5f6a7b8c9d0_d', view)).toBeUndefined();
  });
});
