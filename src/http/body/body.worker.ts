import { move, transferableSymbol, valueSymbol } from 'piscina';
import { contentsOf, DecodedContent, readBody, type RawBody } from './read-body.js';

/** Transfers the decoded bytes. */
export default function read(raw: RawBody) {
  const result = readBody(raw);
  const contents = result.ok ? contentsOf(result.value) : [];
  const transfer = contents.flatMap(({ data }) =>
    data instanceof DecodedContent ? [data.bytes.buffer] : [],
  );
  return move({ [transferableSymbol]: transfer, [valueSymbol]: result });
}
