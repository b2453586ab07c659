import { move, transferableSymbol, valueSymbol } from 'piscina';
import { DecodedContent } from './content.js';
import { contentOf, readBody, type RawBody } from './read-body.js';

/** Runs in a thread of the body pool: large bodies are read here, and the decoded bytes change hands uncopied. */
export default function read(raw: RawBody) {
  const result = readBody(raw);
  const data = result.ok ? contentOf(result.value)?.['data'] : undefined;
  if (!(data instanceof DecodedContent)) return result;
  return move({ [transferableSymbol]: data.bytes.buffer, [valueSymbol]: result });
}
