import { anySeed, countOf } from '../../kit/length.js';
import { holdRaces } from './races.js';

describe('polls of several agents with concurrent faults', () => {
  it('lease and hand off each job once, and leave no job behind', async () => {
    await holdRaces(countOf('JOBS', { short: 60, long: 500, soak: 5000 }), anySeed());
  }, 3_600_000);
});
