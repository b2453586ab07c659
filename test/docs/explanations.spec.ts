import { ACTIONS, CAUSES, VERDICTS } from '../../src/contexts/jobs/index.js';
import { documentText, rowsBelow } from './markdown.js';

const markdown = documentText('docs/reference/explanations.md');
const rowsOf = (heading: string) => rowsBelow(markdown, heading);

describe('documenting explanations', () => {
  it('lists exactly the verdicts, with a meaning', () => {
    expect(rowsOf('Verdicts').map(([verdict]) => verdict)).toEqual([...VERDICTS]);
  });

  it('lists exactly the causes, with their next steps', () => {
    const rows = rowsOf('Causes').map(([cause, , steps]) => [cause, steps]);
    expect(rows).toEqual(Object.entries(CAUSES).map(([cause, steps]) => [cause, steps.join(', ')]));
  });

  it('lists exactly the actions', () => {
    const expected = Object.entries(ACTIONS).map(([action, { text, ...more }]) => [
      ...[action, 'operation' in more ? more.operation : '–', text],
    ]);
    expect(rowsOf('Actions')).toEqual(expected);
  });
});
