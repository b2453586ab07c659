import { runJobModel, seedOf } from '../model/job-model.js';

/** Each part has a service of its own: what a service remembers of the parts before would only slow it down. */
const PART = 500;

describe('the life of a job, many times', () => {
  it('is as the table of moves says, whatever happens to it', async () => {
    const seed = seedOf(process.env);
    const runs = Number(process.env.RUNS ?? 50_000);
    for (let done = 0; done < runs; done += PART) {
      await runJobModel(Math.min(PART, runs - done), seed + done / PART);
    }
  }, 36_000_000);
});
