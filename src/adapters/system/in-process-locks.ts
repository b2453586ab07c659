import { Locks } from '../../ports/locks.port.js';
import { OneAtATime } from '../../runtime/one-at-a-time.js';

/** Enough where one process is the whole service. */
export class InProcessLocks extends Locks {
  private readonly lanes = new OneAtATime();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.lanes.run(key, work);
  }
}
