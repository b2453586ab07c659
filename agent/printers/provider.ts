import type { ContentType, InventoryPrinter } from '../service/protocol.js';

export interface PrintRequest {
  /** `svc:<job_id>:<fence>`: by this name the document is found again after a crash. */
  readonly documentName: string;
  /** The printer's key without the provider's name in front. */
  readonly printer: string;
  readonly contentType: ContentType;
  readonly copies: number;
  readonly bytes: Uint8Array;
}

/** What the spooler says about a document. */
export type Sighting =
  | { readonly state: 'absent' }
  /** A job of this name exists but has no document, so nothing of it can have been printed. */
  | { readonly state: 'empty'; readonly spoolerJobId: string }
  | {
      readonly state: 'waiting' | 'printing' | 'completed' | 'cancelled' | 'aborted';
      readonly spoolerJobId: string;
      /** Pages may have come out. */
      readonly started: boolean;
      readonly message?: string;
    };

/** Told by `submit` as it goes; each is awaited before the next thing is done. */
export interface SubmitProgress {
  /** The spooler has a job but none of its bytes. */
  created(spoolerJobId: string): Promise<void>;
  /** In the middle: what a crash leaves here is the hard case. */
  halfway(): Promise<void>;
}

/** A spooler with its printers. */
export interface PrinterProvider {
  /** Stands in reports as `spooler_provider` and, followed by a colon, in front of its printers' keys. */
  readonly name: string;

  inventory(): Promise<InventoryPrinter[]>;

  /** Names this run of the spooler: another value means that it restarted in between. */
  epoch(): Promise<string>;

  /** Before anything is handed over: throws `NotSubmitted` if this document is not to be taken at all. */
  admit?(documentName: string): Promise<void>;

  /**
   * Gives the document to the spooler, once, and answers its number there. Throws `NotSubmitted` where it is certain
   * that nothing was taken; after any other error the spooler has to be asked.
   */
  submit(request: PrintRequest, progress: SubmitProgress): Promise<string>;

  /** By name; a known number is a short cut and never proof, since spoolers give numbers out again. */
  find(documentName: string, spoolerJobId?: string): Promise<Sighting>;

  /** Takes a job back that never got its document. */
  withdraw(spoolerJobId: string): Promise<void>;

  /** The document's story is over; what was kept for `find` may go. */
  forget(documentName: string): Promise<void>;
}

/** Certain: the spooler has nothing of the document. */
export class NotSubmitted extends Error {
  constructor(
    readonly failureCode: string,
    message: string,
    readonly failureClass: 'temporary' | 'permanent' = 'temporary',
  ) {
    super(message);
    this.name = 'NotSubmitted';
  }
}
