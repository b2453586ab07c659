/** One call on an object, as its caller saw it. Times are of the run. */
export interface Operation<O> {
  readonly name: O;
  readonly began: number;
  /** Infinity: never answered, so it may have its effect at any later time, or none. */
  readonly ended: number;
}

/** What an object may do, one call after the other. States are compared as texts. */
export interface Specification<O> {
  readonly initial: string;
  /** States after the call, if it may be answered like this in that state. */
  apply(state: string, operation: O): readonly string[];
  /** States into which the object may go by itself. */
  silent(state: string): readonly string[];
  /** Whether the call can change the object only once, however often it arrives. */
  isOnce(operation: O): boolean;
}

/**
 * Whether there is an order of the calls that the specification allows and that keeps every call between its begin and
 * its end (Wing and Gong). A call without an answer may be left out.
 */
export function isLinearizable<O>(
  operations: readonly Operation<O>[],
  specification: Specification<O>,
): boolean {
  const sorted = [...operations].sort((a, b) =>
    a.ended === b.ended ? a.began - b.began : a.ended - b.ended,
  );
  return new Search(sorted, specification).from(new Set(), [specification.initial]);
}

class Search<O> {
  private readonly ordered: readonly Operation<O>[];
  /** They may have their effect at any time from then on. */
  private readonly pending: readonly Operation<O>[];
  private readonly names: readonly string[];
  private readonly failed = new Set<string>();
  private readonly closures = new Map<string, ReadonlySet<string>>();

  /** @param operations by their ends */
  constructor(
    operations: readonly Operation<O>[],
    private readonly specification: Specification<O>,
  ) {
    const isPending = ({ name, ended }: Operation<O>) => ended === Infinity && specification.isOnce(name);
    this.pending = operations.filter(isPending);
    this.ordered = operations.filter((operation) => !isPending(operation));
    this.names = this.ordered.map(({ name }) => JSON.stringify(name));
  }

  /** @param states in one of which the object is after the calls that are done */
  from(done: ReadonlySet<number>, states: readonly string[]): boolean {
    const firstEnd = this.ordered.find((_, n) => !done.has(n))?.ended ?? Infinity;
    if (firstEnd === Infinity) return true;
    const reached = this.reachable(states, firstEnd);
    const key = `${[...done].sort((a, b) => a - b).join()}|${[...reached].sort().join()}`;
    if (this.failed.has(key)) return false;
    // Of calls that are alike, the one that ends first may go first: any order stays right if the two change places.
    const tried = new Set<string>();
    for (const [n, { name, began }] of this.ordered.entries()) {
      if (done.has(n) || began > firstEnd || tried.has(this.names[n]!)) continue;
      tried.add(this.names[n]!);
      const next = [...reached].flatMap((state) => this.specification.apply(state, name));
      if (next.length > 0 && this.from(new Set([...done, n]), next)) return true;
    }
    this.failed.add(key);
    return false;
  }

  private reachable(states: readonly string[], firstEnd: number): ReadonlySet<string> {
    const effects = this.pending.filter(({ began }) => began <= firstEnd);
    const key = `${effects.length}|${[...new Set(states)].sort().join()}`;
    let found = this.closures.get(key);
    if (!found) {
      const all = new Set(states);
      for (const state of all) {
        for (const next of this.specification.silent(state)) all.add(next);
        for (const { name } of effects)
          for (const next of this.specification.apply(state, name)) all.add(next);
      }
      this.closures.set(key, (found = all));
    }
    return found;
  }
}
