import type { Columns } from './display.js';
import type { Work } from './work.js';

/** Turns the text of a flag or argument into its JSON value. @throws Error that says the rule */
export type Parse = (text: string) => unknown;

/** A value that the user gives: it fills `{field}` of the path, else the query of a GET or the body of a POST. */
export interface Input {
  /** Snake case, as the surface names it; the flag is the same word with dashes, unless `flag` gives another. */
  readonly field: string;
  readonly flag?: string;
  readonly says: string;
  /** Shown by the help in place of the value; a flag without it stands alone and means true. */
  readonly value?: string;
  readonly required?: true;
  /** An argument that may be left out. */
  readonly optional?: true;
  readonly parse?: Parse;
}

/** One row of the table in docs/operations.md. */
export interface Command {
  readonly words: string;
  readonly says: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below /operator. */
  readonly path: string;
  readonly args?: readonly Input[];
  readonly flags?: readonly Input[];
  /** Answered in pages: followed by position and printed one item a line, or by offset and printed as one list. */
  readonly pages?: 'lines' | 'list';
  /** Fields of the answer that are printed; none: all. */
  readonly only?: readonly string[];
  /** Of the tables that a person sees; a list without any shows all fields that are not objects. */
  readonly columns?: Columns;
  /** Makes more than one call. */
  readonly work?: Work;
  /** Whether the answer is bad news although the call went well. */
  readonly fails?: (item: Record<string, unknown>) => boolean;
}
