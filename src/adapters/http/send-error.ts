import type { SendFailure } from '../../ports/webhook-client.port.js';

/** Request without an answer; carries the error code stored with the attempt. */
export class SendError extends Error {
  constructor(
    readonly failure: SendFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
