import { implementations, storesOf } from './implementations.js';
import { viewStoreContract } from './view-store.contract.js';

describe.each(implementations)('view store: $name', (implementation) => {
  viewStoreContract(storesOf(implementation));
});
