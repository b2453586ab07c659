import { seedOf } from '../model/job-model.js';
import { holdRaces } from '../races/races.js';

describe('two hundred polls, twenty computers and five thousand jobs', () => {
  it('never lease a job twice, never hand off twice, and leave no job behind', async () => {
    const seed = seedOf(process.env);
    await holdRaces(Number(process.env.JOBS ?? 5000), seed);
  }, 3_600_000);
});
