import { implementations, storesOf } from './implementations.js';
import { viewMaintenanceContract } from './view-maintenance.contract.js';

describe.each(implementations)('view maintenance: $name', (implementation) => {
  viewMaintenanceContract(storesOf(implementation));
});
