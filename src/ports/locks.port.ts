/** Sections that must not run twice at once in the whole service, such as counting against a limit. */
export abstract class Locks {
  /**
   * Runs `work` alone among all with the same key. The lock of an instance that died is free after some seconds.
   * @throws what `work` throws; UnavailableError when the lock cannot be had in time (then `work` has not begun).
   */
  abstract run<T>(key: string, work: () => Promise<T>): Promise<T>;
}
