import type { Aggregate } from '../../event-sourcing/write/aggregate-store.js';
import {
  restoresDecider,
  type RecordRestore,
  type Restores,
  type StoreRestored,
} from './domain/restores.decider.js';

export { RecordRestore, type StoreRestored } from './domain/restores.decider.js';
export { RecentRestore } from './recent-restore.js';

/** There is one store, and this is the id of the stream of its restores. */
export const RESTORES_ID = '00000000-0000-0000-0000-000000000000';

export const restores: Aggregate<Restores, RecordRestore, StoreRestored, never> = {
  category: 'restores',
  decider: restoresDecider,
};
