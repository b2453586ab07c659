/** Allows imports only while no worker reacts to events. */
export abstract class ImportGate {
  /**
   * True: no timer fires and no webhook is sent for the next 30 seconds; call it again to continue.
   * @throws UnavailableError
   */
  abstract isOpen(): Promise<boolean>;
}
