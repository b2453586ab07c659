import { Query } from 'mingo';
import { promoted, untyped, type Document } from '../bson/compose.js';
import { NULL, ordered, orderedAt, rankOf, REGEX_RANK, type Ordered } from '../bson/order.js';
import { ARRAY, elements, pathOf, valuesAt, type Path, type Raw } from '../bson/raw.js';
import { isTrue } from '../bson/compose.js';
import { conditionsOf, type Condition } from './conditions.js';

export type Matcher = (raw: Raw) => boolean;

type Test = (value: Ordered) => boolean;

/**
 * A filter as a function over raw documents. Comparison and logic are done here, on exact numbers; the rest by mingo.
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
      return some((operand as Document[]).map(matcher));
    case '$nor':
      return not(some((operand as Document[]).map(matcher)));
    case '$ne':
    case '$nin':
      return not(conditionMatcher({ path, operator: operator === '$ne' ? '$eq' : '$in', operand }));
    case '$not':
      return not(matcher({ [path]: operand }));
    case '$exists': {
      const steps = pathOf(path);
      return (raw) => valuesAt(raw, steps).length > 0 === isTrue(operand);
    }
    default: {
      const test = valueTest(operator, operand);
      return test ? anyValue(pathOf(path), test) : byMingo(condition);
    }
  }
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
  const sameType = (value: Ordered) => rankOf(value) === rankOf(wanted);
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
    const values = valuesAt(raw, path);
    if (values.length === 0) return test(NULL);
    return values.some((value) => {
      if (test(orderedAt(raw, value))) return true;
      return value.type === ARRAY && elements(raw, value.at).some((one) => test(orderedAt(raw, one)));
    });
  };
}

function byMingo({ path, operator, operand }: Condition): Matcher {
  const whole = operator === '$eq' || operator === '$regex' ? operand : { [operator]: operand };
  const query = new Query(untyped(path === '' ? { [operator]: operand } : { [path]: whole }));
  return (raw) => query.test(promoted(raw));
}
