const LENGTHS = ['short', 'long', 'soak'];
/** Length of the adversarial suites, read only here; tests use test/kit/length.ts. */
const { CHAOS: length = 'short' } = process.env;
if (!LENGTHS.includes(length)) throw new Error(`CHAOS must be one of ${LENGTHS.join(', ')}: ${length}`);

const shared = {
  roots: ['src', 'projections', 'agent', 'test'].map((folder) => `<rootDir>/${folder}`),
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

const project = (displayName, folders, more = {}) => ({
  ...shared,
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
  ...more,
});

/** @type {import('jest').Config} */
export default {
  // Generous: on a busy machine a 10 MiB upload alone can take longer than Jest's own 5 s.
  testTimeout: 60_000,
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
  projects: [
    project('unit', ['{src,projections,agent}', 'test/{laws,architecture,docs,stand-ins,recordings}']),
    project('contract', ['test/contract']),
    project('surface', ['test/{surface,doctor}']),
    project('chaos', ['test/chaos'], {
      globals: { chaosLength: length },
      // A `.long.spec.ts` starts many programs, traces system calls or measures real time.
      testPathIgnorePatterns: ['/node_modules/', ...(length === 'short' ? ['\\.long\\.spec\\.ts$'] : [])],
    }),
  ],
};
