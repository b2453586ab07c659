import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const OPTIONS = {
  swcrc: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** Imports in TypeScript name the compiled file. */
export function resolve(specifier, context, next) {
  const ours = context.parentURL?.endsWith('.ts') && /^\.{1,2}\/.*\.js$/.test(specifier);
  return next(ours ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  return compiled(await readFile(filename, 'utf8'), filename);
}

/** The module that a text in place of the file would be. */
export async function compiled(text, filename) {
  const { code } = await transform(text, { ...OPTIONS, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
