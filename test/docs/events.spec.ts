import { accountInName, isLogged } from '../../src/evidence/entry.js';
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

describe('documenting accounts in the evidence log', () => {
  const rules = [...markdown.matchAll(/^- ([a-z].*): (`[a-zA-Z]+`(?:, `[a-zA-Z]+`)*)$/gm)].map(
    ([, rule, names]) => ({
      rule: rule!,
      categories: names!.replaceAll('`', '').split(', '),
    }),
  );
  const [named, ofAccount, ofUser, ofSystem, unlogged] = rules.map(({ categories }) => categories);
  const firstEvents = new Map(
    headings(markdown).flatMap((heading) => {
      const category = /`([a-zA-Z]+)-/.exec(heading)?.[1];
      const [, fields = ''] = rowsBelow(markdown, heading)[0] ?? [];
      return category === undefined ? [] : [[category, fields.split(', ')] as const];
    }),
  );
  const withField = (field: string) => (category: string) => firstEvents.get(category)!.includes(field);

  it('gives each category one rule', () => {
    expect(rules.flatMap(({ categories }) => categories).sort()).toEqual([...firstEvents.keys()].sort());
  });

  it('gives the rule that the log applies', () => {
    const categories = [...firstEvents.keys()];
    expect(categories.filter((one) => accountInName(`${one}-1`)).sort()).toEqual(named!.sort());
    expect(categories.filter((one) => !isLogged(`${one}-1`)).sort()).toEqual(unlogged!.sort());
    const others = categories.filter((one) => isLogged(`${one}-1`) && !accountInName(`${one}-1`));
    expect(others.filter(withField('accountId')).sort()).toEqual(ofAccount!.sort());
    expect(others.filter(withField('user')).sort()).toEqual(ofUser!.sort());
    expect(others.length).toBe(ofAccount!.length + ofUser!.length + ofSystem!.length);
  });
});
