import type {
  ContentType,
  InventoryPrinter,
  Paper,
  PrintOptions,
  Receipt,
  TextSettings,
} from '../service/protocol.js';

export interface PrintRequest {
  /** `svc:<job_id>:<fence>`; finds the document again after a crash. */
  readonly documentName: string;
  readonly title?: string;
  /** Of pdf and text only. */
  readonly options?: PrintOptions;
  /** Of text that the provider draws, or that reaches the queue as text. */
  readonly text?: TextSettings;
  /** The printer's key without the provider's prefix. */
  readonly printer: string;
  readonly contentType: ContentType;
  readonly copies: number;
  readonly bytes: Uint8Array;
}

/** The spooler has the document. */
export interface Submitted {
  readonly spoolerJobId: string;
  readonly receipt?: Receipt;
  /** False of a device that has not taken what it was sent; default true. */
  readonly isTaken?: boolean;
}

/** State of a document at the spooler. */
export type Sighting =
  | { readonly state: 'absent' }
  /** A job of this name exists without a document, so nothing was printed. */
  | { readonly state: 'empty'; readonly spoolerJobId: string }
  | {
      readonly state: 'waiting' | 'printing' | 'completed' | 'cancelled' | 'aborted';
      readonly spoolerJobId: string;
      /** Pages may have been printed. */
      readonly started: boolean;
      readonly message?: string;
      /** Why it was aborted, if the Agent did it. */
      readonly failureCode?: string;
    };

/** Progress of a call that has a deadline. */
export interface Moving {
  /** Aborts when the call makes no progress for too long: end it, kill its child process, and throw. */
  readonly signal: AbortSignal;
  /** The spooler took a chunk, band or page: the deadline starts anew. */
  moved(): void;
}

const MOVING_MS = 500;

/** Waits for work of this computer, which has limits of its own, and keeps the deadline from blaming the printer. */
export function notOfThePrinter<T>(work: Promise<T>, moved: () => void): Promise<T> {
  const timer = setInterval(moved, MOVING_MS).unref();
  return work.finally(() => clearInterval(timer));
}

/** Progress of `submit`, which awaits `created` and `halfway` before its next step. */
export interface SubmitProgress extends Moving {
  /** The spooler has created a job but has no bytes yet. */
  created(spoolerJobId: string): Promise<void>;
  /** Between job and document: a crash here is the hard case. */
  halfway(): Promise<void>;
  /** The printer was given all bytes: only a device that `tellsWhole` calls it. */
  whole?(): Promise<void>;
}

/** A printer as its provider lists it. */
export interface ListedPrinter extends InventoryPrinter {
  /** Why it cannot print now, in a few words; shown to the operator with the Agent's health. */
  readonly trouble?: string;
  /**
   * `taken`: it has taken the last document; `answers`: it answers at the port of its documents; false: it takes none
   * now; absent: only a document can tell.
   */
  readonly takesDocuments?: 'taken' | 'answers' | false;
}

/** A spooler with its printers. */
export interface PrinterProvider {
  /** `spooler_provider` in reports, and the prefix of its printers' keys before a colon. */
  readonly name: string;

  inventory(): Promise<ListedPrinter[]>;

  /** Identifies the current run of the spooler: the value changes with a restart. */
  epoch(): Promise<string>;

  /** Set if it draws text with `mode: pages` itself. For other providers the Agent draws it as a PDF. */
  readonly drawsText?: boolean;

  /** Paper of a queue for documents that ask for none; undefined if not known. */
  defaultPaper?(printer: string): Promise<Paper | undefined>;

  /** Called before the hand-off; throws `NotSubmitted` to reject this document, or an option of it. */
  admit?(request: PrintRequest, progress: Moving): Promise<void>;

  /**
   * Submits the document once; resolves to its number at the spooler and what was applied. Throws `NotSubmitted` if the spooler certainly
   * has nothing; after any other error, use `find`.
   */
  submit(request: PrintRequest, progress: SubmitProgress): Promise<Submitted>;

  /** Finds by name; a known number only speeds up the search, because spoolers reuse numbers. */
  find(documentName: string, spoolerJobId?: string): Promise<Sighting>;

  /** Cancels a job without a document. */
  withdraw(spoolerJobId: string): Promise<void>;

  /** Deletes the data kept for `find`, once the document's outcome is reported. */
  forget(documentName: string): Promise<void>;
}

/** The spooler certainly has nothing of the document. */
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
