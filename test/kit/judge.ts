import type { Answered } from './http/client.js';
import { Conformance } from './openapi.js';

const DOCUMENTS = ['/openapi.json', '/managed/openapi.json', '/agent/openapi.json'];

/** Fails on an answer that the OpenAPI documents of a running service do not describe. */
export async function judgeOf(
  url: string,
): Promise<(method: string, path: string, answered: Answered) => void> {
  const documents = await Promise.all(DOCUMENTS.map((path) => Conformance.of(url + path)));
  const rows = documents.flatMap((document) =>
    [...document.operations()].map(([id, { method, path }]) => ({
      id,
      method,
      document,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );
  return (method, path, answered) => {
    const bare = path.split('?')[0]!;
    const row = rows.find((one) => one.method === method && one.pattern.test(bare));
    const problems = row?.document.problems(row.id, answered) ?? [];
    if (problems.length > 0) throw new Error(`${method} ${path}: ${problems.join('; ')}\n${answered.text}`);
  };
}
