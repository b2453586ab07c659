import type { ViewDefinition } from '../../../kernel/projection.js';
import { countFilter, indexesOf, pageFilter } from './view-questions.js';

const view: ViewDefinition = {
  name: 'parcels',
  version: 2,
  indexes: [
    { fields: ['account'] },
    { fields: ['printer'], onlyWhen: { field: 'status', in: ['queued'] } },
    {
      fields: ['printer', 'status'],
      onlyWhen: { field: 'status', in: ['held', 'queued'] },
      inLogOrder: true,
    },
    { fields: ['status'], onlyWhen: { field: 'status', in: ['held', 'lost'] } },
  ],
  countBy: [['account'], ['account', 'month']],
};

describe('querying a view', () => {
  it('never finds tombstones, which have no creation position', () => {
    expect(countFilter(view, {})).toEqual({ _position: { $gt: '' } });
    expect(countFilter(view, { account: null })).toEqual({ account: null, _position: { $gt: '' } });
  });

  it('continues after a creation position in the requested order', () => {
    const query = { where: { account: ['a', 'b', 'a'] }, limit: 9, after: '7' } as const;

    expect(pageFilter(view, { ...query, order: 'newest' })).toEqual({
      account: { $in: ['a', 'b'] },
      _position: { $lt: '7' },
    });
    expect(pageFilter(view, { ...query, order: 'oldest' })).toMatchObject({ _position: { $gt: '7' } });
  });

  it('continues a queue by the place in the log, without the time', () => {
    const query = { where: { printer: 'p', status: 'held' }, order: 'logged', limit: 9 } as const;
    const place = '0'.repeat(20) + '0042';

    const filter = pageFilter(view, { ...query, after: `1767225600000${place}` });
    expect(filter).toEqual({ printer: 'p', status: 'held', _place: { $gt: place } });
  });

  it('counts by stored totals and refuses queries without an index', () => {
    expect(countFilter(view, { month: '2026-11', account: 'a' })).toBeDefined();
    expect(() => pageFilter(view, { where: { month: '2026-11' }, order: 'newest', limit: 1 })).toThrow(
      'no index',
    );
    expect(() => countFilter(view, { month: '2026-11' })).toThrow('no index');
  });
});

describe('the indexes of a view', () => {
  it('serve its queries in creation order', () => {
    const found = indexesOf(view).map(({ key, partialFilterExpression }) => ({
      key: Object.keys(key as object).join(' '),
      ...(partialFilterExpression && { only: partialFilterExpression }),
    }));

    expect(found).toEqual([
      { key: '_position' },
      { key: 'account _position' },
      { key: 'printer _position status', only: { status: 'queued' } },
      { key: 'printer status _place', only: { status: { $in: ['held', 'queued'] } } },
      { key: 'status _position', only: { status: { $in: ['held', 'lost'] } } },
      { key: '_removed_at' },
    ]);
  });
});
