/** What the process that started a stand-in may ask of it, beside the wire. */
// Methods of any arguments: each stand-in names its own.
export type Controls = { readonly [name: string]: (...args: never[]) => unknown };

/** A stand-in that listens. */
export interface StandIn {
  readonly url: string;
  readonly controls: Controls;
  /** Breaks all connections and frees its ports. */
  close(): void;
}

/** Of the parent. `open` starts a stand-in and answers its url, `close` ends it; all others are controls of the open one. */
export interface Request {
  readonly id: number;
  readonly control: string;
  readonly args: readonly unknown[];
}

export type Answer =
  { readonly id: number; readonly result: unknown } | { readonly id: number; readonly error: string };
