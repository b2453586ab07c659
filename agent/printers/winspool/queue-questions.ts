/** Time that a queue has to answer, with all questions before. */
const LIMIT_MS = 10_000;

/**
 * Asks each queue one question at a time and waits so long for its answer. A call of a print server that hangs holds a
 * thread of Node until it returns, so it is the only one of its queue.
 */
export class QueueQuestions {
  private readonly pending = new Map<string, Promise<unknown>>();

  constructor(private readonly limitMs = LIMIT_MS) {}

  /** Rejects after the limit, also when an earlier question is the reason. */
  async ask<T>(queue: string, question: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the queue ${queue} does not answer`)), this.limitMs);
    });
    try {
      for (let before; (before = this.pending.get(queue));) await Promise.race([before, limit]);
      const answer = question();
      const settled = (): void => void this.pending.delete(queue);
      this.pending.set(queue, answer.then(settled, settled));
      return await Promise.race([answer, limit]);
    } finally {
      clearTimeout(timer);
    }
  }
}
