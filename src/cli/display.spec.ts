import { displayed, table } from './display.js';

describe('displaying an object', () => {
  it('aligns plain values, then indents nested objects and prints lists of objects as tables', () => {
    const job = {
      job_id: 'j-1',
      is_final: false,
      title: null,
      scopes: ['a', 'b'],
      account: { name: 'Acme', closed_at: null },
      history: [
        { created_at: 'noon', event_type: 'job.created', event_id: 'e-1' },
        { created_at: 'one', event_type: 'job.failed', details: { failure_code: 'X', reason: 'late' } },
      ],
      unknown_jobs: [],
    };
    const columns = { history: ['created_at', 'event_type', 'details'] };
    expect(displayed(job, columns)).toBe(
      `job_id        j-1
is_final      no
title         -
scopes        a, b
unknown_jobs  none

account
  name       Acme
  closed_at  -

history
  CREATED AT  EVENT TYPE   DETAILS
  noon        job.created  -
  one         job.failed   failure_code=X reason=late
`,
    );
  });
});

describe('displaying a list', () => {
  it('shows all plain fields when no columns are named', () => {
    const items = [
      { name: 'jobs', lag: 0 },
      { name: 'keys', lag: 12, more: { a: 1 } },
    ];
    expect(displayed({ items })).toBe('NAME  LAG\njobs  0\nkeys  12\n');
  });

  it('shows a field of an object as a column', () => {
    const items = [
      { name: 'till', health: { behind: true } },
      { name: 'desk', health: null },
    ];
    expect(table(items, ['name', 'health.behind'])).toBe('NAME  HEALTH BEHIND\ntill  yes\ndesk  -\n');
  });

  it('prints a note for an empty list', () => {
    expect(displayed({ items: [], total: 0 })).toBe('none\n');
  });

  it('aligns by characters, not by UTF-16 units', () => {
    expect(
      table(
        [
          { a: '🖨', b: 'x' },
          { a: 'öö', b: 'y' },
        ],
        ['a', 'b'],
      ),
    ).toBe('A   B\n🖨   x\nöö  y\n');
  });

  it('removes control and direction characters', () => {
    const title = 'a\u001b[2Jb\u202ec\nd';
    expect(table([{ title }], ['title'])).toBe('TITLE\na\u{fffd}[2Jb\u{fffd}c\u{fffd}d\n');
  });
});
