import DataLoader from 'dataloader';

/** Answers in the order of what was asked for; an error is that of its asker alone. */
type AskAll<Question, Answer> = (questions: readonly Question[]) => Promise<readonly (Answer | Error)[]>;

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
    batchScheduleFn: (send) => void setImmediate(send),
  });
  return (question) => loader.load(question);
}
