import { anySeed, countOf } from '../../kit/length.js';
import { runJobModel } from './job-model.js';

/** Each part has its own new service. */
const PART = 500;

describe('the life of a job', () => {
  it('follows the table of moves under any commands', async () => {
    const seed = anySeed();
    const runs = countOf('RUNS', { short: 60, long: 250, soak: 50_000 });
    for (let done = 0; done < runs; done += PART) {
      await runJobModel(Math.min(PART, runs - done), seed + done / PART);
    }
  }, 36_000_000);
});
