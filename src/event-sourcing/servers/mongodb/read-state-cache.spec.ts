import type { ViewDefinition } from '../../../kernel/projection.js';
import { epochIn, isOfVersion, newCollectionName } from './read-state-cache.js';

const view: ViewDefinition = { name: 'job-view', version: 3, indexes: [] };
const counted: ViewDefinition = { ...view, countBy: [['status']] };

describe('naming the collection of a build', () => {
  it('encodes version and epoch', () => {
    for (const one of [view, counted]) {
      const collection = newCollectionName(one, 7);
      expect(isOfVersion(collection, one)).toBe(true);
      expect(epochIn(collection, one)).toBe(7);
      expect(isOfVersion(collection, { ...one, version: 30 })).toBe(false);
    }
  });

  it.each(['', '_t', '_d', '_d_t'])('rebuilds the form "%s" of an earlier release', (form) => {
    const collection = `job_view_v3_7_6740a1b2c3d4e5f6a7b8c9d0${form}`;
    expect([view, counted].map((one) => isOfVersion(collection, one))).toEqual([false, false]);
    expect(epochIn(collection, view)).toBe(7);
  });

  it('encodes whether the build keeps totals', () => {
    expect(isOfVersion(newCollectionName(view, 7), counted)).toBe(false);
  });

  it('finds no epoch in a collection of another view', () => {
    expect(epochIn('accounts_v3_7_6740a1b2c3d4e5f6a7b8c9d0_d_o', view)).toBeUndefined();
  });
});
