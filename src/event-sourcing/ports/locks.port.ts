/** Locks over the whole service, e.g. for counting against a limit. */
export abstract class Locks {
  /**
   * Runs `work` while no other call with the same key runs. The lock of a crashed instance is free after some
   * seconds.
   * @throws errors of `work`; UnavailableError if the lock is not free in time (`work` has not started then)
   */
  abstract run<T>(key: string, work: () => Promise<T>): Promise<T>;
}
