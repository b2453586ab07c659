import { surfaces } from '../../src/api/surfaces.js';
import type { Surface } from '../../src/http/surface.js';
import { documentText, headings, rowsBelow } from './markdown.js';

const markdown = documentText('docs/reference/errors.md');

const rowsOf = (errors: Surface['errors']) =>
  Object.entries(errors)
    .map(([code, { status, retryable, cause, remedy }]) => [
      code,
      `${status}`,
      retryable ? 'yes' : 'no',
      cause,
      remedy,
    ])
    .sort();

describe('documenting errors', () => {
  it.each(surfaces)('lists exactly the errors of the $name surface', ({ title, errors }) => {
    expect(rowsBelow(markdown, title).sort()).toEqual(rowsOf(errors));
  });

  it('has a section for each surface', () => {
    expect(headings(markdown)).toEqual(surfaces.map(({ title }) => title));
  });
});
