import { statSync } from 'node:fs';

/** Loads the program from its `programFile`. */
export async function loadProgram(): Promise<typeof import('../program.js')> {
  return (await import(programFile().href)) as typeof import('../program.js');
}

/**
 * The bundle of bin/bundle.mjs, which loads in a quarter of the time; the compiled modules if they are newer, as
 * after `nest start`.
 */
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
