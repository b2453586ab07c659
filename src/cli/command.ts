import type { Columns } from './display.js';
import type { OperatorClient } from './operator-client.js';

/** @throws Error that names the rule */
export type Parse = (text: string) => unknown;

type Owned = 'printer' | 'webhook' | 'delivery' | 'key' | 'member' | 'credential';
/** Kinds of things that are found by a slug, a code, or the beginning of an id. */
export type Kind = 'account' | 'partner' | 'computer' | 'job' | Owned;

/** Fills `{field}` of the path, else the query of a GET or the body of a POST. */
export interface Input {
  /** API name in snake case; the flag has dashes unless `flag` is set. */
  readonly field: string;
  readonly flag?: string;
  /** One letter. */
  readonly short?: string;
  readonly summary: string;
  /** Placeholder in the help, and what is completed if it lists values (`on|off`); a flag without one means true. */
  readonly value?: string;
  readonly required?: true;
  readonly optional?: true;
  /** An argument that may be given several times; its value is the list. */
  readonly many?: true;
  readonly parse?: Parse;
  /** A variable that gives it. */
  readonly env?: string;
  /** What its value names. */
  readonly is?: Kind;
  /** Only says where the other values are looked for, or how the answer is shown. */
  readonly unsent?: true;
}

/** One row of the table in docs/operations.md. */
export interface Command {
  readonly words: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** `integration`: the Integration API, in the account that is given or owns the job. */
  readonly surface?: 'operator' | 'integration';
  readonly args?: readonly Input[];
  readonly flags?: readonly Input[];
  /** Sent besides what is given. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The operation needs an idempotency key: that of `--idempotency-key`, or a new one. */
  readonly keyed?: true;
  /** Changes nothing, though it is a POST. */
  readonly reads?: true;
  /** `lines` follows positions and prints one item a line; `list` follows offsets and prints one list. */
  readonly pages?: 'lines' | 'list';
  readonly only?: readonly string[];
  /** Field of the answer that is the output. */
  readonly part?: string;
  /** The one item of a list whose field is the id given. */
  readonly pick?: string;
  /** The list of an answer that is its CSV. */
  readonly rows?: string;
  /** It lists all things of a kind, whose slugs, codes or names are in these fields. */
  readonly lists?: Kind;
  readonly names?: readonly string[];
  /** Default: all fields that are not objects. */
  readonly columns?: Columns;
  readonly work?: Work;
  readonly fails?: (item: Record<string, unknown>) => boolean;
  /** Prints lines of its own. */
  readonly isRaw?: true;
}

export type Values = Record<string, unknown>;

export type Format = 'json' | 'table' | 'csv';

export interface Streams {
  /** Resolves when the output accepts more. */
  readonly out: (text: string) => void | Promise<void>;
  readonly err: (text: string) => void;
  readonly readable?: boolean;
  /** Columns of the terminal; undefined: any number. */
  readonly width?: number | undefined;
  readonly hasColours?: boolean;
  /** Undefined without piped input. */
  readonly in?: AsyncIterable<Uint8Array | string>;
}

export interface Output extends Streams {
  readonly format: Format;
}

/** Resolves to the output, or to undefined if it has printed already. @throws CallFailed */
export type Work = (client: OperatorClient, values: Values, output: Output) => Promise<object | void>;

/** Whether it lists or shows, so that it can be watched. */
export const isWatchable = ({ method, reads, work, pages }: Command) =>
  (method === 'GET' || reads === true) && work === undefined && pages !== 'lines';
