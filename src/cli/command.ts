import type { Columns } from './display.js';
import type { OperatorClient } from './operator-client.js';

/** @throws Error that names the rule */
export type Parse = (text: string) => unknown;

/** Fills `{field}` of the path, else the query of a GET or the body of a POST. */
export interface Input {
  /** API name in snake case; the flag has dashes unless `flag` is set. */
  readonly field: string;
  readonly flag?: string;
  /** One letter. */
  readonly short?: string;
  readonly summary: string;
  /** Placeholder in the help; a flag without one takes no value and means true. */
  readonly value?: string;
  readonly required?: true;
  readonly optional?: true;
  /** An argument that may be given several times; its value is the list. */
  readonly many?: true;
  readonly parse?: Parse;
}

/** One row of the table in docs/operations.md. */
export interface Command {
  readonly words: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly args?: readonly Input[];
  readonly flags?: readonly Input[];
  /** `lines` follows positions and prints one item a line; `list` follows offsets and prints one list. */
  readonly pages?: 'lines' | 'list';
  readonly only?: readonly string[];
  /** Default: all fields that are not objects. */
  readonly columns?: Columns;
  readonly work?: Work;
  readonly fails?: (item: Record<string, unknown>) => boolean;
}

export type Values = Record<string, unknown>;

export interface Streams {
  /** Resolves when the output accepts more. */
  readonly out: (text: string) => void | Promise<void>;
  readonly err: (text: string) => void;
  readonly readable?: boolean;
  /** Undefined without piped input. */
  readonly in?: AsyncIterable<Uint8Array | string>;
}

/** Resolves to the output, or to undefined if it has printed already. @throws CallFailed */
export type Work = (client: OperatorClient, values: Values, streams: Streams) => Promise<object | void>;
