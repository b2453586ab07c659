import { checkpointStoreContract } from './checkpoint-store.contract.js';
import { implementations, storesOf } from './implementations.js';

describe.each(implementations)('checkpoint store: $name', (implementation) => {
  checkpointStoreContract(storesOf(implementation));
});
