import DataLoader from 'dataloader';

/** In the order of the requests; an error fails only its own request. */
type AnswerAll<Question, Answer> = (questions: readonly Question[]) => Promise<readonly (Answer | Error)[]>;

/** After the close phase: the driver waits forever for `drain` on a socket that has just ended. */
function inTimersPhase(send: () => void): void {
  setTimeout(send, 0);
}

/** One call per event-loop turn: a call costs the driver more than another document in it. */
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
