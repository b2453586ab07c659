import { implementations, storesOf } from './implementations.js';
import { timerStoreContract } from './timer-store.contract.js';

describe.each(implementations)('timer store: $name', (implementation) => {
  timerStoreContract(storesOf(implementation));
});
