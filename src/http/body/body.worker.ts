import { move, transferableSymbol, valueSymbol } from 'piscina';
import { DecodedContent } from './content.js';
import { contentOf, readBody, type RawBody } from './read-body.js';

/**
 * Runs in a thread of the body pool: large bodies are read here. The decoded bytes change hands uncopied, and so
 * does the memory that the body came in.
 */
export default function read(raw: RawBody) {
  const result = readBody(raw);
  const data = result.ok ? contentOf(result.value)?.['data'] : undefined;
  const transfer = raw.chunks.map(({ buffer }) => buffer);
  if (data instanceof DecodedContent) transfer.push(data.bytes.buffer);
  return move({ [transferableSymbol]: transfer, [valueSymbol]: { result, chunks: raw.chunks } });
}
