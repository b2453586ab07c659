import { Context, evalExpr } from 'mingo/core';
import * as accumulator from 'mingo/operators/accumulator';
import * as expression from 'mingo/operators/expression';
import * as pipeline from 'mingo/operators/pipeline';
import { MISSING, ordered } from '../bson/order.js';

type Evaluation = Parameters<typeof evalExpr>;

/** Any two values compare, of whatever types; a missing value is below null. */
const rank = (value: unknown) => (value === undefined ? MISSING : ordered(value));

const comparing =
  (holds: (a: string, b: string) => boolean) =>
  (document: Evaluation[0], operands: unknown, options: Evaluation[2]) => {
    const values = (operands as Evaluation[1][]).map((operand) => rank(evalExpr(document, operand, options)));
    return holds(values[0]!, values[1]!);
  };

/** mingo compares within one type, and takes what is missing for null: MongoDB does neither in an expression. */
export const COMPARING = Context.init({
  accumulator,
  pipeline,
  expression: {
    ...expression,
    $eq: comparing((a, b) => a === b),
    $ne: comparing((a, b) => a !== b),
    $gt: comparing((a, b) => a > b),
    $gte: comparing((a, b) => a >= b),
    $lt: comparing((a, b) => a < b),
    $lte: comparing((a, b) => a <= b),
  },
});
