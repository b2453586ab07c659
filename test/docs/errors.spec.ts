import { surfaces } from '../../src/api/surfaces.js';
import type { Surface } from '../../src/http/surface.js';
import { documentText, headings, rowsBelow } from './markdown.js';

const markdown = documentText('docs/reference/errors.md');

const rowsOf = (errors: Surface['errors']) =>
  Object.entries(errors)
    .map(([code, { status, retryable, cause }]) => [code, `${status}`, retryable ? 'yes' : 'no', cause])
    .sort();

describe('documenting errors', () => {
  it.each(surfaces)(
    'lists exactly the errors of the $name surface, each with a remedy',
    ({ title, errors }) => {
      const rows = rowsBelow(markdown, title);
      expect(rows.map((row) => row.slice(0, -1)).sort()).toEqual(rowsOf(errors));
      expect(rows.filter((row) => !/\S\.$/.test(row.at(-1)!))).toEqual([]);
    },
  );

  it('has a section for each surface', () => {
    expect(headings(markdown)).toEqual(surfaces.map(({ title }) => title));
  });
});
