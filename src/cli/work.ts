import type { OperatorClient } from './operator-client.js';

/** The user's inputs by field. */
export type Values = Record<string, unknown>;

export interface Streams {
  /** Resolves when the output accepts more. */
  readonly out: (text: string) => void | Promise<void>;
  readonly err: (text: string) => void;
  /** Print tables and short texts instead of JSON, for a terminal. */
  readonly readable?: boolean;
  /** Undefined if there is no piped input. */
  readonly in?: AsyncIterable<Uint8Array | string>;
}

/** Command of several calls; resolves to the output. @throws CallFailed */
export type Work = (client: OperatorClient, values: Values, streams: Streams) => Promise<object>;
