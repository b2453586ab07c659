import type { ViewDefinition } from '../../../kernel/projection.js';
import { epochIn, isOrderedByTime, keepsTotals, newCollectionName, versionIn } from './collection-names.js';

const view: ViewDefinition = { name: 'job-view', version: 3, indexes: [] };

describe('naming the collection of a build', () => {
  it('encodes version, epoch and totals', () => {
    const plain = newCollectionName(view, 7);
    const counted = newCollectionName({ ...view, countBy: [['status']] }, 7);
    expect(
      [plain, counted].map((collection) => [versionIn(collection, view), epochIn(collection, view)]),
    ).toEqual([
      [3, 7],
      [3, 7],
    ]);
    expect([plain, counted].map(keepsTotals)).toEqual([false, true]);
    expect([plain, counted].map(isOrderedByTime)).toEqual([true, true]);
  });

  it('tells builds of earlier releases, which were ordered by position', () => {
    const earlier = ['_d', '_d_t'].map((marks) => `job_view_v3_7_6740a1b2c3d4e5f6a7b8c9d0${marks}`);
    expect(earlier.map((collection) => versionIn(collection, view))).toEqual([3, 3]);
    expect(earlier.map(keepsTotals)).toEqual([false, true]);
    expect(earlier.map(isOrderedByTime)).toEqual([false, false]);
  });

  it('gives texts of earlier releases no version, so that they are rebuilt', () => {
    const collection = 'job_view_v3_7_6740a1b2c3d4e5f6a7b8c9d0_t';
    expect([versionIn(collection, view), epochIn(collection, view)]).toEqual([undefined, 7]);
    expect(epochIn('accounts_v3_7_6740a1b2c3d4e5f6a7b8c9d0_d', view)).toBeUndefined();
  });
});
