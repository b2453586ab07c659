import { Locks } from '../../ports/locks.port.js';
import { KeyedMutex } from '../../event-sourcing/keyed-mutex.js';

/** Locks for a service of one process. */
export class InProcessLocks extends Locks {
  private readonly lanes = new KeyedMutex();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.lanes.run(key, work);
  }
}
