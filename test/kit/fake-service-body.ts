import type { IncomingMessage } from 'node:http';

export type Body = Record<string, unknown>;

/** The JSON of a request; empty without a body. */
export async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Body) : {};
}
