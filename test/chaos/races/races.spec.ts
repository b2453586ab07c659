import { seedOf } from '../model/job-model.js';
import { holdRaces } from './races.js';

describe('two hundred polls, and everything that goes wrong', () => {
  it('never lease a job twice, never hand off twice, and leave no job behind', async () => {
    const seed = seedOf(process.env);
    await holdRaces(Number(process.env.JOBS ?? 1000), seed);
  }, 300_000);
});
