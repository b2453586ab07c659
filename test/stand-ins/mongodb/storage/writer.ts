/** On whose account documents are written: a transaction keeps what undoes it. */
export interface Writer {
  readonly undo?: (() => void)[];
}
