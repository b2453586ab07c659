import { NotSubmitted } from '../provider.js';

/** The chunks of a document, and how many of them the connection has asked for. */
export class DocumentStream {
  /** It has asked for bytes: without them none can have reached the printer. */
  isBegun = false;
  /** It has asked for all: without them the printer cannot have the document. */
  isWhole = false;
  /** Why the rest cannot be drawn. */
  failure: NotSubmitted | undefined;

  constructor(
    private readonly source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    private readonly moved: () => void,
    private readonly onWhole: () => void,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.source) {
        this.isBegun = true;
        this.moved();
        yield chunk;
      }
      this.isWhole = true;
      this.onWhole();
    } catch (error) {
      if (error instanceof NotSubmitted) this.failure = error;
      throw error;
    }
  }
}
