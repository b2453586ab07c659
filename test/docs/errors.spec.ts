import { agent } from '../../src/api/agent/agent.surface.js';
import { integration } from '../../src/api/integration/integration.surface.js';
import { operator } from '../../src/api/operator/operator.surface.js';
import { partner } from '../../src/api/partner/partner.surface.js';
import { documentText, headings, rowsBelow } from './markdown.js';

const markdown = documentText('docs/reference/errors.md');
const surfaces = [integration, partner, agent, operator];

const rowsOf = (errors: (typeof integration)['errors']) =>
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
