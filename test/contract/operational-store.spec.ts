import { implementations, storesOf } from './implementations.js';
import { operationalStoreContract } from './operational-store.contract.js';

describe.each(implementations)('operational store: $name', (implementation) => {
  operationalStoreContract(storesOf(implementation));
});
