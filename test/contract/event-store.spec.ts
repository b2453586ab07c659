import { eventStoreContract } from './event-store.contract.js';
import { implementations, storesOf } from './implementations.js';

describe.each(implementations)('event store: $name', (implementation) => {
  eventStoreContract(storesOf(implementation));
});
