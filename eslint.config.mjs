import js from '@eslint/js';
import hooks from 'eslint-plugin-react-hooks';
import sonarjs from 'eslint-plugin-sonarjs';
import tseslint from 'typescript-eslint';

const CLOCK =
  'The past must not change on a replay: time arrives on the command (at) or from the Clock port.';
const CHANCE = 'Ids and secrets arrive on the command or from the Randomness port.';

/** What a replayed function may not do. */
const impurities = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: CLOCK },
  { selector: "CallExpression[callee.name='Date']", message: CLOCK },
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: CLOCK },
  { selector: "MemberExpression[object.name='performance']", message: CLOCK },
  { selector: "MemberExpression[object.name='Math'][property.name='random']", message: CHANCE },
  { selector: "CallExpression[callee.name='randomUUID']", message: CHANCE },
  { selector: "CallExpression[callee.property.name='randomUUID']", message: CHANCE },
  { selector: ':function[async=true]', message: 'Deciding and folding wait for nothing.' },
  { selector: 'AwaitExpression', message: 'Deciding and folding wait for nothing.' },
  { selector: 'ThrowStatement', message: 'A refusal is a value: reject({ code }).' },
];

const environment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only config.ts reads the environment.',
};

/** Pages show what strangers wrote: as text only. */
const MARKUP = 'Text from outside is text: let React write it.';
const markup = [
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: MARKUP },
  { selector: "Property[key.name='dangerouslySetInnerHTML']", message: MARKUP },
  {
    selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/]',
    message: MARKUP,
  },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      'sdk/src/generated/**',
      'dist-agent/**',
      'coverage/**',
      'data/**',
      'bench/results/**',
      'test/architecture/planted/**',
    ],
  },
  // A rule that does not fit is changed here, for all to see, never switched off in a file.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' } },
  js.configs.recommended,
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        module: 'writable',
        setInterval: 'readonly',
        clearInterval: 'readonly',
      },
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { sonarjs },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      complexity: ['error', { max: 15, variant: 'modified' }],
      eqeqeq: 'error',
      'max-depth': ['error', 4],
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 50 }],
      'no-restricted-syntax': ['error', environment],
      'sonarjs/slow-regex': 'error',
      'sonarjs/super-linear-regex': 'error',
    },
  },
  {
    files: ['src/contexts/*/domain/**/*.ts', '**/*.process.ts', '**/*.projection.ts'],
    ignores: ['**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', environment, ...impurities] },
  },
  {
    // Existential types: runners hold deciders, projections and processes of any kind and never look inside.
    files: [
      'src/kernel/process.ts',
      'src/kernel/projection.ts',
      'src/event-sourcing/write/decider-handlers.ts',
    ],
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  },
  {
    // The command bus answers `any` for a class that does not extend Command; no result may be used untyped.
    files: ['src/{api,app,contexts,processes}/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'error',
      '@typescript-eslint/no-unsafe-member-access': 'error',
      '@typescript-eslint/no-unsafe-return': 'error',
    },
  },
  {
    // The environment is read where a program starts, and where tests and demonstrations start programs.
    files: [
      'src/config.ts',
      'agent/config.ts',
      'mcp/main.ts',
      'bench/**/*.ts',
      'demo/**/*.ts',
      'test/**/*.ts',
      '**/*.spec.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['panel/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'no-restricted-syntax': ['error', ...markup],
      'max-lines-per-function': ['error', { max: 80 }],
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.contract.ts'],
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': 'off',
    },
  },
);
