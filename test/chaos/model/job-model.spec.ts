import { runJobModel, seedOf } from './job-model.js';

describe('the life of a job', () => {
  it('is as the table of moves says, whatever happens to it', async () => {
    await runJobModel(Number(process.env.RUNS ?? 500), seedOf(process.env));
  }, 600_000);
});
