/** Whether events may be brought in from elsewhere: only while nothing here reacts to events. */
export abstract class ImportGate {
  /**
   * True: no timer fires and no webhook leaves for the next half minute. Whoever goes on importing asks again.
   * @throws UnavailableError
   */
  abstract isOpen(): Promise<boolean>;
}
