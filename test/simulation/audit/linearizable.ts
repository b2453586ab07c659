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
}

/**
 * Whether there is an order of the calls that the specification allows and that keeps every call between its begin and
 * its end (Wing and Gong). A call without an answer may be left out.
 */
export function isLinearizable<O>(
  operations: readonly Operation<O>[],
  specification: Specification<O>,
): boolean {
  const sorted = [...operations].sort((a, b) => a.began - b.began);
  const answered = sorted.flatMap(({ ended }, n) => (ended === Infinity ? [] : [n]));
  const search = new Search(sorted, answered, specification);
  return search.from(new Set(), search.reachable([specification.initial]));
}

class Search<O> {
  private readonly failed = new Set<string>();
  private readonly closures = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly operations: readonly Operation<O>[],
    private readonly answered: readonly number[],
    private readonly specification: Specification<O>,
  ) {}

  /** @param states in one of which the object is after the calls that are done */
  from(done: ReadonlySet<number>, states: ReadonlySet<string>): boolean {
    if (this.answered.every((n) => done.has(n))) return true;
    const key = `${[...done].sort((a, b) => a - b).join()}|${[...states].sort().join()}`;
    if (this.failed.has(key)) return false;
    const open = this.answered.filter((n) => !done.has(n));
    const firstEnd = Math.min(...open.map((n) => this.operations[n]!.ended));
    for (const [n, operation] of this.operations.entries()) {
      if (done.has(n) || operation.began > firstEnd) continue;
      const next = [...states].flatMap((state) => this.specification.apply(state, operation.name));
      if (next.length > 0 && this.from(new Set([...done, n]), this.reachable(next))) return true;
    }
    this.failed.add(key);
    return false;
  }

  reachable(states: readonly string[]): ReadonlySet<string> {
    const key = [...new Set(states)].sort().join();
    let found = this.closures.get(key);
    if (!found) {
      const all = new Set(states);
      for (const state of all) for (const next of this.specification.silent(state)) all.add(next);
      this.closures.set(key, (found = all));
    }
    return found;
  }
}
