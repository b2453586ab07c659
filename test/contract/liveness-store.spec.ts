import { implementations, storesOf } from './implementations.js';
import { livenessStoreContract } from './liveness-store.contract.js';

describe.each(implementations)('liveness store: $name', (implementation) => {
  livenessStoreContract(storesOf(implementation));
});
