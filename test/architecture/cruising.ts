import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Rules {
  readonly forbidden: readonly { name: string; from: { path?: string } }[];
  readonly options: ICruiseOptions;
}

export const rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as Rules;

const tsConfig = extractTSConfig(path.join(ROOT, 'tsconfig.json'));

/** Checks the source folders of a tree against .dependency-cruiser.cjs; returns `rule: from -> to` for each violation. */
export async function breaches(tree: string): Promise<string[]> {
  const { output } = await cruise(
    ['src', 'projections', 'agent', 'mcp', 'panel', 'sdk', 'verifier'].filter((folder) =>
      existsSync(path.join(tree, folder)),
    ),
    { ...rules.options, baseDir: tree, ruleSet: { forbidden: rules.forbidden as never }, validate: true },
    undefined,
    { tsConfig },
  );
  const { summary } = output as ICruiseResult;
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}
