import { historyOf } from '../../projections/job-history/job-history.fold.js';
import { recorded } from '../kit/recorded.js';
import { documentText, headings, rowsBelow } from './markdown.js';
import { storedEvents } from './stored-events.js';

const markdown = documentText('docs/reference/events.md');
const rows = headings(markdown).flatMap((heading) => rowsBelow(markdown, heading));

/** Name in the public history of a stored job event. */
function publicName(type: string): string {
  const events = recorded('job-1', { type, data: {} });
  return historyOf(events as never).history[0]?.event_type ?? '';
}

describe('documenting stored events', () => {
  it('lists exactly the stored events with all fields of their data', () => {
    const documented = rows.map(([type, fields = '']) => [type, fields.split(', ').filter(Boolean).sort()]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(storedEvents()));
    expect(new Set(rows.map(([type]) => type)).size).toBe(rows.length);
  });

  it('names each as in the public job history', () => {
    const jobs = rowsBelow(markdown, 'Jobs: `job-<job_id>`');
    expect(jobs.length).toBeGreaterThan(15);
    expect(jobs.map(([type, , name]) => [type, name])).toEqual(
      jobs.map(([type = '']) => [type, publicName(type)]),
    );
  });
});
