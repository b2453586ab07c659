import { readdirSync, readFileSync } from 'node:fs';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { ROOT } from './cruising.js';

const DOMAIN = 'src/contexts/claims/domain/claim.decider.ts';
const PROJECTION = 'src/event-sourcing/timers/timers.projection.ts';
const RUNTIME = 'src/async/keyed-mutex.ts';
const PAGE = 'panel/look/cell-tooltip.tsx';
const SPEC = 'src/contexts/claims/domain/claim.decider.spec.ts';

const files = ['**/*.{ts,tsx}'];

/** The rules of the tree that need no types. */
const untyped = new ESLint({ cwd: ROOT, overrideConfig: { files, ...tseslint.configs.disableTypeChecked } });

/**
 * All rules of the tree, over a program of two files: that of the whole tree takes a minute to make. With CI=true the
 * parser would infer a single run, and read the files from the disk instead of the given code.
 */
const typed = new ESLint({
  cwd: ROOT,
  overrideConfig: {
    files,
    languageOptions: {
      parserOptions: {
        projectService: false,
        project: 'test/architecture/lint.tsconfig.json',
        disallowAutomaticSingleRunInference: true,
      },
    },
  },
});

/** Lint rules violated by `code` in `file`. */
async function fired(file: string, code: string, eslint = untyped): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: `${ROOT}/${file}` });
  return [...new Set(result?.messages.map(({ ruleId }) => ruleId))];
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => `export const n${i} = ${i};`).join('\n');
const body = (count: number) => `export function long() {\n${'  performance.mark("x");\n'.repeat(count)}}\n`;

const MARKUP = /innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|srcdoc|document\.write/i;

describe('the pages', () => {
  it('write no markup from text', () => {
    const files = readdirSync(`${ROOT}/panel`, { recursive: true }).map(String);
    const sources = files.filter((file) => /\.(tsx?|html)$/.test(file));
    expect(sources.length).toBeGreaterThan(30);
    const writing = sources.filter((file) => MARKUP.test(readFileSync(`${ROOT}/panel/${file}`, 'utf8')));
    expect(writing).toEqual([]);
  });
});

describe('linting', () => {
  it.each([
    ['the clock', 'export const now = () => new Date();'],
    ['the clock by its number', 'export const now = () => Date.now();'],
    ['randomness', 'export const dice = () => Math.random();'],
    ['waiting', 'export const wait = async () => 1;'],
    ['exceptions', 'export function refuse() {\n  throw new Error();\n}'],
    ['the environment', 'export const home = () => process.env.HOME;'],
  ])('keeps %s out of deciders', async (_what, code) => {
    expect(await fired(DOMAIN, code)).toEqual(['no-restricted-syntax']);
  });

  it('keeps the clock out of projections', async () => {
    expect(await fired(PROJECTION, 'export const now = () => Date.now();')).toEqual(['no-restricted-syntax']);
  });

  it('allows a decider to parse a given time', async () => {
    expect(await fired(DOMAIN, 'export const year = (at: string) => new Date(at).getFullYear();')).toEqual(
      [],
    );
  });

  it.each([
    ['a file of more than 300 lines', RUNTIME, lines(301), 'max-lines'],
    ['a function of more than 50 lines', RUNTIME, body(49), 'max-lines-per-function'],
    ['a spec of more than 400 lines', SPEC, lines(401), 'max-lines'],
    [
      'the environment outside config.ts',
      RUNTIME,
      'export const a = process.env.HOME;',
      'no-restricted-syntax',
    ],
    [
      'markup from text',
      PAGE,
      'export const a = (at: Element) => (at.innerHTML = "<b>");',
      'no-restricted-syntax',
    ],
    [
      'markup from text in React',
      PAGE,
      'export const a = <p dangerouslySetInnerHTML={{ __html: "<b>" }} />;',
      'no-restricted-syntax',
    ],
    [
      'a regular expression with exponential time',
      RUNTIME,
      'export const a = /^(a+)+$/;',
      'sonarjs/slow-regex',
    ],
    [
      'a regular expression with quadratic time',
      RUNTIME,
      'export const a = /\\s+$/;',
      'sonarjs/super-linear-regex',
    ],
  ])('refuses %s', async (_what, file, code, rule) => {
    expect(await fired(file, code)).toEqual([rule]);
  });

  it.each([
    [
      'the untyped result of a command',
      'src/app/exit-codes.ts',
      "import type { CommandBus } from '@nestjs/cqrs';\n" +
        'export const ask = async (bus: CommandBus) => {\n  const got = await bus.execute({});\n  void got;\n};',
      '@typescript-eslint/no-unsafe-assignment',
    ],
    ['a floating promise', RUNTIME, 'Promise.resolve(1);', '@typescript-eslint/no-floating-promises'],
  ])('refuses %s', async (_what, file, code, rule) => {
    expect(await fired(file, code, typed)).toEqual([rule]);
  });
});
