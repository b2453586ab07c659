/**
 * New builds of views, filled beside the active ones. Each call is one step. A store inside a transaction takes its steps
 * at once (`Step` is boolean), one behind a network takes them asynchronously (docs/decisions/041-one-projection-engine.md).
 */
export interface Shadow<Step extends boolean | Promise<boolean>> {
  /** Projects the next events; true once the end of the log is reached. */
  replay(): Step;
  /** Indexes that are cheaper to build on filled tables; each is one step. */
  readonly indexes: Iterable<() => Step>;
  /** Projects the events appended meanwhile and makes the builds active, while nothing else is projected. */
  activate(): Step;
}

function* steps<Step extends boolean | Promise<boolean>>(
  shadow: Shadow<Step>,
): Generator<Step, void, boolean> {
  while (!(yield shadow.replay()));
  for (const buildIndex of shadow.indexes) yield buildIndex();
  yield shadow.activate();
}

/** Rebuilds views; the caller may do other work between two steps. */
export function* rebuildInSteps(shadow: Shadow<boolean>): Generator<void> {
  const taken = steps(shadow);
  for (let step = taken.next(); !step.done; step = taken.next(step.value)) yield;
}

/** Rebuilds views. @throws what a step throws */
export async function rebuild(shadow: Shadow<Promise<boolean>>): Promise<void> {
  const taken = steps(shadow);
  for (let step = taken.next(); !step.done;) step = taken.next(await step.value);
}
