import type { SendFailure } from '../../ports/webhook-client.port.js';

/** Why no answer came, in the words of the attempts ledger. */
export class SendError extends Error {
  constructor(
    readonly failure: SendFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
