import { Locks } from '../ports/group-leases.port.js';
import { KeyedMutex } from '../../async/keyed-mutex.js';

export class InProcessLocks extends Locks {
  private readonly mutex = new KeyedMutex();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.mutex.run(key, work);
  }
}
