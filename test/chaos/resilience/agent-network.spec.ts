import { printOverBadNetwork } from '../../kit/bad-network-law.js';
import { fixedSeed } from '../../kit/length.js';

describe('printing over a bad network', () => {
  it('prints every job once, completes it and empties the outbox', async () => {
    await printOverBadNetwork(fixedSeed(1), 5, 60_000);
  });
});
