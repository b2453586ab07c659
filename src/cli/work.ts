import type { OperatorClient } from './operator-client.js';

/** What the user gave, by field. */
export type Values = Record<string, unknown>;

export interface Streams {
  /** Resolves when there is room for more. */
  readonly out: (text: string) => void | Promise<void>;
  readonly err: (text: string) => void;
  /** Tables and short texts instead of JSON: for a person at a terminal. */
  readonly readable?: boolean;
  /** Absent: nothing can be piped in. */
  readonly in?: AsyncIterable<Uint8Array | string>;
}

/** What takes more than one call. Resolves to what is printed. @throws CallFailed */
export type Work = (client: OperatorClient, values: Values, streams: Streams) => Promise<object>;
