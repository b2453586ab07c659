import { Locks } from '../../ports/locks.port.js';
import { KeyedMutex } from '../../event-sourcing/keyed-mutex.js';

/** Enough where one process is the whole service. */
export class InProcessLocks extends Locks {
  private readonly lanes = new KeyedMutex();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.lanes.run(key, work);
  }
}
