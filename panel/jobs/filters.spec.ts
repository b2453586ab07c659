import { isFiltered, pageWith, queryOf, type JobFilters } from './filters.js';

const NONE: JobFilters = { q: '', status: '', printer: '', from: '', to: '', cursor: '' };

describe('the filters of jobs', () => {
  it('ask for days from midnight to midnight of this browser', () => {
    const { from, to } = queryOf({ ...NONE, from: '2026-03-31', to: '2026-03-31' });
    expect(from).toBe(new Date(2026, 2, 31).toISOString());
    expect(to).toBe(new Date(2026, 3, 1).toISOString());
  });

  it('ask for minutes, the last one included', () => {
    const { from, to } = queryOf({ ...NONE, from: '2026-03-31T14:00', to: '2026-03-31T14:59' });
    expect(from).toBe(new Date(2026, 2, 31, 14).toISOString());
    expect(to).toBe(new Date(2026, 2, 31, 15).toISOString());
  });

  it('leave out what is not chosen, and what is no day', () => {
    expect(queryOf(NONE)).toEqual({});
    expect(queryOf({ ...NONE, q: 'Order', from: 'yesterday', status: 'failed' })).toEqual({
      q: 'Order',
      status: 'failed',
    });
  });

  it('are an address', () => {
    expect(pageWith(NONE)).toBe('/jobs');
    expect(pageWith({ ...NONE, q: 'a & b', cursor: 'x' })).toBe('/jobs?q=a+%26+b&cursor=x');
  });

  it('count without the page', () => {
    expect([isFiltered(NONE), isFiltered({ ...NONE, cursor: 'x' }), isFiltered({ ...NONE, q: 'x' })]).toEqual(
      [false, false, true],
    );
  });
});
