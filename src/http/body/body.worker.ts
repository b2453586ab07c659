import { move, transferableSymbol, valueSymbol } from 'piscina';
import { contentsOf, DecodedContent, readBody, type RawBody } from './read-body.js';

/** Transfers the decoded bytes and the memory of the body. */
export default function read(raw: RawBody) {
  const result = readBody(raw);
  const transfer = raw.chunks.map(({ buffer }) => buffer);
  for (const { data } of result.ok ? contentsOf(result.value) : []) {
    if (data instanceof DecodedContent) transfer.push(data.bytes.buffer);
  }
  return move({ [transferableSymbol]: transfer, [valueSymbol]: { result, chunks: raw.chunks } });
}
