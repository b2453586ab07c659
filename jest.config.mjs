const LENGTHS = ['short', 'long', 'soak'];
/** Length of the adversarial suites; tests use test/kit/length.ts. */
const { CHAOS: length = 'short' } = process.env;
if (!LENGTHS.includes(length)) throw new Error(`CHAOS must be one of ${LENGTHS.join(', ')}: ${length}`);
const overServers = process.env.TEST_STORES === 'servers';

const project = (displayName, folders, more = {}) => ({
  displayName,
  roots: ['src', 'projections', 'agent', 'panel', 'test'].map((folder) => `<rootDir>/${folder}`),
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
  // Specs run in plain Node (docs/decisions/040-test-projects.md).
  testRunner: '<rootDir>/test/runner/native-runner.mjs',
  transform: {},
  ...more,
});

/** @type {import('jest').Config} */
export default {
  // Generous: on a busy machine a 10 MiB upload alone can take longer than Jest's own 5 s.
  testTimeout: 180_000,
  // One for each processor: with more, all suites together take longer.
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/runner/longest-first.mjs',
  projects: [
    project('unit', [
      '{src,projections,agent,panel}',
      'test/{laws,architecture,docs,evidence,stand-ins,recordings}',
    ]),
    project('contract', ['test/contract']),
    project('surface', ['test/{surface,doctor,mcp,sdk,panel}'], {
      // `npm run test:servers`: a `.servers.spec.ts` wants server stores; test/surface/embedded is equal on all stores.
      testPathIgnorePatterns: overServers
        ? ['/surface/embedded/', '/doctor/', '/test/mcp/', '/sdk/', '/test/panel/']
        : ['\\.servers\\.spec\\.ts$'],
    }),
    project('chaos', ['test/{chaos,mutants,simulation}'], {
      // A `.long.spec.ts` starts many programs, traces system calls, renders for long or measures real time.
      testPathIgnorePatterns: ['/node_modules/', ...(length === 'short' ? ['\\.long\\.spec\\.ts$'] : [])],
    }),
  ],
};
