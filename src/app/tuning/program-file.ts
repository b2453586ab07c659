import { statSync } from 'node:fs';

export async function loadProgram(): Promise<typeof import('../program.js')> {
  return (await import(programFile().href)) as typeof import('../program.js');
}

/** The bundle loads in a quarter of the time; after `nest start` the compiled modules are newer. */
export function programFile(dist = new URL('../../../', import.meta.url)): URL {
  const bundle = new URL('service/program.js', dist);
  const bundledAt = timeOf(bundle);
  const compiledAt = timeOf(new URL('.tsbuildinfo', dist)) ?? 0;
  const isCurrent = bundledAt !== undefined && bundledAt >= compiledAt;
  return isCurrent ? bundle : new URL('src/app/program.js', dist);
}

function timeOf(file: URL): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
