import { eventStoreContract } from './event-store.contract.js';
import { oneCommitContract } from './one-commit.contract.js';
import { implementations, storesOf } from './implementations.js';

describe.each(implementations)('event store: $name', (implementation) => {
  const fixture = storesOf(implementation);
  eventStoreContract(fixture);
  oneCommitContract(fixture);
});
