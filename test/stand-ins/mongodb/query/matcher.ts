import { isTrue, type Document } from '../bson/compose.js';
import { NAN, NULL, ordered, orderedAt, rankOf, REGEX_RANK, type Ordered } from '../bson/order.js';
import { ARRAY, elements, pathOf, valueAt, type Path, type Raw } from '../bson/raw.js';
import { notServed, ServerError } from '../server-error.js';
import { conditionsOf, type Condition } from './conditions.js';

export type Matcher = (raw: Raw) => boolean;

type Test = (value: Ordered) => boolean;

/**
 * A filter as a function over raw documents, on exact numbers. Other operators than those of the product are refused.
 * https://www.mongodb.com/docs/manual/reference/operator/query/
 */
export function matcher(filter: Document): Matcher {
  const tests = conditionsOf(filter).map(conditionMatcher);
  if (tests.length === 1) return tests[0]!;
  return (raw) => {
    for (const test of tests) if (!test(raw)) return false;
    return true;
  };
}

function conditionMatcher(condition: Condition): Matcher {
  const { path, operator, operand } = condition;
  switch (operator) {
    case '$or':
      return some(clausesOf(operand).map(matcher));
    case '$ne':
    case '$nin':
      return not(conditionMatcher({ path, operator: operator === '$ne' ? '$eq' : '$in', operand }));
    case '$exists': {
      const steps = pathOf(path);
      return (raw) => (valueAt(raw, steps) !== undefined) === isTrue(operand);
    }
    default: {
      const test = valueTest(operator, operand);
      if (!test) throw unserved(operator);
      return anyValue(pathOf(path), test);
    }
  }
}

function clausesOf(operand: unknown): Document[] {
  if (Array.isArray(operand) && operand.length > 0) return operand as Document[];
  throw new ServerError('BadValue', '$and/$or/$nor must be a nonempty array');
}

const KNOWN =
  /^\$(all|bitsAll\w+|bitsAny\w+|elemMatch|expr|geo\w+|jsonSchema|mod|near\w*|nor|not|options|regex|sampleRate|size|text|type|where)$/;

/** mongod answers an operator that it does not know with 2. */
function unserved(operator: string): ServerError {
  const isKnown =
    KNOWN.test(operator) || !operator.startsWith('$') || operator === '$eq' || operator === '$in';
  return isKnown ? notServed(operator) : new ServerError('BadValue', `unknown operator: ${operator}`);
}

const some =
  (matchers: readonly Matcher[]): Matcher =>
  (raw) =>
    matchers.some((matches) => matches(raw));

const not =
  (matches: Matcher): Matcher =>
  (raw) =>
    !matches(raw);

/** Comparisons stay within a type: https://www.mongodb.com/docs/manual/reference/method/db.collection.find/#type-bracketing */
function valueTest(operator: string, operand: unknown): Test | undefined {
  if (operator === '$in') {
    const wanted = new Set((operand as unknown[]).map(ordered));
    return [...wanted].some(isRegex) ? undefined : (value) => wanted.has(value);
  }
  if (!['$eq', '$gt', '$gte', '$lt', '$lte'].includes(operator)) return undefined;
  const wanted = ordered(operand);
  if (isRegex(wanted)) return undefined;
  // NaN is neither above nor below any number.
  const sameType = (value: Ordered) =>
    rankOf(value) === rankOf(wanted) && (value === NAN) === (wanted === NAN);
  switch (operator) {
    case '$gt':
      return (value) => value > wanted && sameType(value);
    case '$gte':
      return (value) => value >= wanted && sameType(value);
    case '$lt':
      return (value) => value < wanted && sameType(value);
    case '$lte':
      return (value) => value <= wanted && sameType(value);
    default:
      return (value) => value === wanted;
  }
}

const isRegex = (value: Ordered) => rankOf(value) === REGEX_RANK;

/** A list matches by itself or by one of its values; what is missing counts as null. */
function anyValue(path: Path, test: Test): Matcher {
  return (raw) => {
    const value = valueAt(raw, path);
    if (!value) return test(NULL);
    if (test(orderedAt(raw, value))) return true;
    return value.type === ARRAY && elements(raw, value.at).some((one) => test(orderedAt(raw, one)));
  };
}
