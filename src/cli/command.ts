import type { Columns } from './display.js';
import type { OperatorClient } from './operator-client.js';

/** Parses the text of a flag or argument into its JSON value. @throws Error that names the rule */
export type Parse = (text: string) => unknown;

/** An input of the user: fills `{field}` of the path, else the query of a GET or the body of a POST. */
export interface Input {
  /** Field name of the API in snake case; the flag is the same with dashes unless `flag` is set. */
  readonly field: string;
  readonly flag?: string;
  readonly says: string;
  /** Placeholder in the help; a flag without one takes no value and means true. */
  readonly value?: string;
  readonly required?: true;
  /** Marks an optional argument. */
  readonly optional?: true;
  readonly parse?: Parse;
}

/** One row of the table in docs/operations.md. */
export interface Command {
  readonly words: string;
  readonly says: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path below /operator. */
  readonly path: string;
  readonly args?: readonly Input[];
  readonly flags?: readonly Input[];
  /** Paging: `lines` follows positions and prints one item a line; `list` follows offsets and prints one list. */
  readonly pages?: 'lines' | 'list';
  /** Printed fields of the answer; default: all. */
  readonly only?: readonly string[];
  /** Table columns on a terminal; default: all fields that are not objects. */
  readonly columns?: Columns;
  /** Makes more than one call. */
  readonly work?: Work;
  /** Whether a successful answer means failure (exit code 1). */
  readonly fails?: (item: Record<string, unknown>) => boolean;
}

export type Values = Record<string, unknown>;

export interface Streams {
  /** Resolves when the output accepts more. */
  readonly out: (text: string) => void | Promise<void>;
  readonly err: (text: string) => void;
  readonly readable?: boolean;
  /** Undefined if there is no piped input. */
  readonly in?: AsyncIterable<Uint8Array | string>;
}

/** Command of several calls; resolves to the output. @throws CallFailed */
export type Work = (client: OperatorClient, values: Values, streams: Streams) => Promise<object>;
