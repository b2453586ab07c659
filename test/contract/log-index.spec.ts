import { implementations, storesOf } from './implementations.js';
import { indexBlocksContract, logIndexContract } from './log-index.contract.js';

describe.each(implementations)('log index: $name', (implementation) => {
  const fixture = storesOf(implementation);
  indexBlocksContract(fixture);
  logIndexContract(fixture);
});
