import DataLoader from 'dataloader';

/** Answers in the order of what was asked for; an error is that of its asker alone. */
type AskAll<Question, Answer> = (questions: readonly Question[]) => Promise<readonly (Answer | Error)[]>;

/**
 * The phase of the event loop in which the sockets that ended are known to be closed. After the reads of a turn, where
 * `setImmediate` would send, the driver still takes one that has just ended, and waits for its `drain` without end.
 */
function atTheTimers(send: () => void): void {
  setTimeout(send, 0);
}

/**
 * What is asked for in one turn of the event loop goes to the server as one call: a call costs the driver a multiple
 * of what one more document in it does. Nothing is remembered: who asks later asks anew.
 */
export function gathered<Question, Answer>(
  askAll: AskAll<Question, Answer>,
  most = 500,
): (question: Question) => Promise<Answer> {
  const loader = new DataLoader<Question, Answer>(askAll, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: atTheTimers,
  });
  return (question) => loader.load(question);
}
