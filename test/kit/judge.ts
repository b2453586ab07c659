import type { Answered } from './http/client.js';
import { Conformance, type OpenApi } from './openapi.js';

const DOCUMENTS = ['/openapi.json', '/managed/openapi.json', '/agent/openapi.json'];

/** Keyed by the text of the documents: services with the same documents share the compiled schemas. */
const judges = new Map<string, Judge>();

/** Fails on answers that do not match the OpenAPI documents of the running service. */
export async function judgeOf(url: string): Promise<Judge> {
  const answers = await Promise.all(DOCUMENTS.map((path) => fetch(url + path)));
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  const known = texts.join('\n').replaceAll(new URL(url).origin, '');
  const judge = judges.get(known) ?? judgeBy(texts);
  judges.set(known, judge);
  return judge;
}

type Judge = (method: string, path: string, answered: Answered) => void;

function judgeBy(texts: readonly string[]): Judge {
  const documents = texts.map((text) => new Conformance(JSON.parse(text) as OpenApi));
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
