import DataLoader from 'dataloader';

/** Answers in the order of the requests; an error fails only its own request. */
type AnswerAll<Question, Answer> = (questions: readonly Question[]) => Promise<readonly (Answer | Error)[]>;

/**
 * Sends in the timers phase of the event loop, when sockets that ended are already closed. With `setImmediate` the
 * driver may pick a socket that has just ended and then waits for its `drain` for ever.
 */
function inTimersPhase(send: () => void): void {
  setTimeout(send, 0);
}

/**
 * Sends all requests of one event-loop turn as one call, because a call costs the driver far more than a further
 * document in it. Answers are not cached.
 */
export function batched<Question, Answer>(
  answerAll: AnswerAll<Question, Answer>,
  most = 500,
): (question: Question) => Promise<Answer> {
  const loader = new DataLoader<Question, Answer>(answerAll, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: inTimersPhase,
  });
  return (question) => loader.load(question);
}
