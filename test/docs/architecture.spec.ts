import { processesFor } from '../../src/app/processes.js';
import { projectionsFor } from '../../src/app/projections.js';
import { CONSUMER_GROUPS } from '../../src/app/singleton-workers.js';
import { documentText, rowsBelow } from './markdown.js';

const markdown = documentText('docs/architecture.md');
const config = { presenceTimeoutMs: 90_000 };
const namesBelow = (heading: string) => rowsBelow(markdown, heading).map(([name]) => name);

describe('documenting the architecture', () => {
  it('lists every timer and worker', () => {
    const timers = processesFor(config).map(({ name }) => name);
    expect(namesBelow('What runs by itself').sort()).toEqual([...timers, ...CONSUMER_GROUPS, 'views'].sort());
  });

  it('lists every view', () => {
    const views = projectionsFor(config).map(({ view }) => view.name);
    expect(namesBelow('Views').sort()).toEqual(views.sort());
  });
});
