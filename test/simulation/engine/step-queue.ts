import type { Milliseconds } from '../../../src/kernel/time.js';

export interface Step {
  readonly at: Milliseconds;
  /** Of steps at the same time: the one that was planned first goes first. */
  order: number;
  readonly label: string;
  readonly run: () => unknown;
  isCancelled: boolean;
}

const isBefore = (a: Step, b: Step) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** A binary heap. */
export class StepQueue {
  private readonly heap: Step[] = [];
  private orders = 0;

  push(step: Step): void {
    step.order = this.orders++;
    const { heap } = this;
    let at = heap.push(step) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(step, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = step;
  }

  /** Removes the first step that is due by then; undefined if there is none. */
  next(until: Milliseconds): Step | undefined {
    for (;;) {
      const first = this.heap[0];
      if (!first || first.at > until) return undefined;
      this.removeFirst();
      if (!first.isCancelled) return first;
    }
  }

  private removeFirst(): void {
    const { heap } = this;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}
