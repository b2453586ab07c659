import type { Receipt } from '../../service/protocol.js';
import type { NotSubmitted, PrintRequest } from '../provider.js';
import type { DriverFacts } from './driver-facts.js';

/** A document without its bytes, which follow in pieces. */
export interface DocumentTask extends Omit<PrintRequest, 'bytes'> {
  readonly drawn: boolean;
  /** Of the driver of its printer, if known. */
  readonly facts?: DriverFacts;
}

/** To the process of a document. `open` comes first, then pieces; `go` answers `created` and `begin`. */
export type Order =
  | { readonly type: 'open'; readonly task: DocumentTask }
  | { readonly type: 'piece'; readonly bytes: Uint8Array }
  | { readonly type: 'check' | 'print' }
  | { readonly type: 'describe'; readonly queue: string }
  | { readonly type: 'go'; readonly on: boolean };

/** From the process of a document. It waits for `go` after `created` and `begin`. */
export type Notice =
  /** PDFium or pdf-lib works until the next notice. */
  | { readonly type: 'drawing' }
  /** The spooler or driver works until the next notice. */
  | { readonly type: 'spooling' }
  /** The spooler took a piece, a band or a page. */
  | { readonly type: 'moved' }
  /** The job exists, without bytes. */
  | { readonly type: 'created'; readonly spoolerJobId: number }
  /** The next call gives the spooler its first bytes. */
  | { readonly type: 'begin' }
  /** All bytes are with the spooler, and the next call ends the document. */
  | { readonly type: 'ending' }
  | Done
  | { readonly type: 'failed'; readonly failure: Failure };

export interface Done {
  readonly type: 'done';
  /** Of a document that was drawn. */
  readonly receipt?: Receipt;
  /** After `describe`. */
  readonly facts?: DriverFacts;
}

/** An error, with the fields of `NotSubmitted` if it is one. */
export type Failure = Pick<Error, 'name' | 'message'> &
  Partial<Pick<NotSubmitted, 'failureCode' | 'failureClass'>>;

/** The way of one side to the other, as processes of Node have it. */
export interface Channel<Sent, Received> {
  send(message: Sent, sent: (error: Error | null) => void): unknown;
  on(event: string, listener: (message: Received) => void): unknown;
}
