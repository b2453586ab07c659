import { move, transferableSymbol, valueSymbol } from 'piscina';
import { contentOf, DecodedContent, readBody, type RawBody } from './read-body.js';

/** Transfers the decoded bytes and the memory of the body. */
export default function read(raw: RawBody) {
  const result = readBody(raw);
  const data = result.ok ? contentOf(result.value)?.['data'] : undefined;
  const transfer = raw.chunks.map(({ buffer }) => buffer);
  if (data instanceof DecodedContent) transfer.push(data.bytes.buffer);
  return move({ [transferableSymbol]: transfer, [valueSymbol]: { result, chunks: raw.chunks } });
}
