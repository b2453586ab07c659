import { Double, Int32, Long } from 'bson';
import { numberOf } from '../bson/compose.js';
import { ServerError } from '../server-error.js';

type Operation = '$inc' | '$mul';

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || value instanceof Int32 || value instanceof Long || value instanceof Double;

const isWhole = (value: unknown): boolean => value instanceof Int32 || value instanceof Long;

const bigOf = (value: unknown) => (value instanceof Long ? value.toBigInt() : BigInt(numberOf(value)));

/**
 * Int32 grows into Long, a Double makes a Double. mongod: SafeNum (src/mongo/util/safe_num.cpp),
 * https://www.mongodb.com/docs/manual/reference/operator/update/inc/
 */
export function calculated(operation: Operation, path: string, current: unknown, by: unknown): unknown {
  if (!isNumeric(by))
    throw new ServerError(
      'TypeMismatch',
      `Cannot ${operation.slice(1)} with non-numeric argument: {${path}}`,
    );
  if (current === undefined) return operation === '$inc' ? by : calculated('$mul', path, new Int32(0), by);
  if (!isNumeric(current))
    throw new ServerError(
      'TypeMismatch',
      `Cannot apply ${operation} to a value of non-numeric type. {_id} has the field '${path}'`,
    );
  if (!isWhole(current) || !isWhole(by)) {
    const [a, b] = [numberOf(current), numberOf(by)];
    return new Double(operation === '$inc' ? a + b : a * b);
  }
  const [a, b] = [bigOf(current), bigOf(by)];
  const exact = operation === '$inc' ? a + b : a * b;
  const fits = current instanceof Int32 && by instanceof Int32 && BigInt.asIntN(32, exact) === exact;
  if (fits) return new Int32(Number(exact));
  if (BigInt.asIntN(64, exact) !== exact)
    throw new ServerError('BadValue', `Failed to apply ${operation} operations to current value for ${path}`);
  return Long.fromBigInt(exact);
}
