import type { Answered } from './http/client.js';
import { Conformance } from './openapi.js';

const DOCUMENTS = ['/openapi.json', '/managed/openapi.json', '/agent/openapi.json'];

/** The documents do not depend on the configuration: those of the first service of this process serve for all. */
let judge: Promise<Judge> | undefined;

/** Fails on answers that do not match the OpenAPI documents of the running service. */
export function judgeOf(url: string): Promise<Judge> {
  judge ??= Promise.all(DOCUMENTS.map((path) => Conformance.of(url + path)))
    .then(judgeBy)
    .catch((error: unknown) => {
      judge = undefined;
      throw error;
    });
  return judge;
}

type Judge = (method: string, path: string, answered: Answered) => void;

function judgeBy(documents: readonly Conformance[]): Judge {
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
