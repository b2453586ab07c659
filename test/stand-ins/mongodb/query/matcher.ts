import { isTrue, type Document } from '../bson/compose.js';
import { NAN, NULL, ordered, orderedAt, rankOf, REGEX_RANK, type Ordered } from '../bson/order.js';
import { ARRAY, elements, pathOf, valueAt, type Path, type Raw } from '../bson/raw.js';
import { notServed } from '../server-error.js';
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
    case '$ne':
    case '$nin':
      return not(conditionMatcher({ path, operator: operator === '$ne' ? '$eq' : '$in', operand }));
    case '$exists': {
      const steps = pathOf(path);
      return (raw) => (valueAt(raw, steps) !== undefined) === isTrue(operand);
    }
    default: {
      const test = valueTest(operator, operand);
      if (!test) throw notServed(operator);
      return anyValue(pathOf(path), test);
    }
  }
}

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
