import { readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { composed, SINGLE } from './compose.js';
import { documentText } from './markdown.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly services?: Readonly<Record<string, { readonly image: string; readonly env?: object }>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const names = readdirSync(FOLDER);
const workflowOf = (name: string) => parse(documentText(`${FOLDER}/${name}`)) as Workflow;
const { scripts, engines } = JSON.parse(documentText('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};
const runsOf = ({ jobs }: Workflow) =>
  Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
/** Scripts of package.json that commands name: `npm run X`, `npm test`. */
const scriptsIn = (runs: readonly string[]) =>
  runs.flatMap((run) =>
    [...run.matchAll(/\bnpm (?:run ([\w:]+)|(test))/g)].map(([, one, two]) => one ?? two!),
  );

describe.each(names)('the workflow %s', (name) => {
  const workflow = workflowOf(name);

  it('names scripts that exist', () => {
    const named = scriptsIn(runsOf(workflow));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('may only read, but for jobs that say more', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const { permissions } of Object.values(workflow.jobs))
      expect(permissions?.contents ?? 'read').toBe('read');
  });

  it('names a version of each action', () => {
    const used = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[\w./]+$/.test(action))).toEqual([]);
  });
});

describe('the checks of every change', () => {
  const { test, stores } = workflowOf('check.yml').jobs;

  it('run on each supported version of Node', () => {
    const { node } = test!.strategy!.matrix;
    expect(node).toEqual([20, 22, 24]);
    expect(engines.node).toMatch(new RegExp(`^>=${node[0]}\\.`));
    expect(documentText('Dockerfile')).toContain(`FROM node:${node.at(-1)}-`);
    expect(scriptsIn(test!.steps.flatMap(({ run }) => run ?? []))).toEqual(
      expect.arrayContaining(['check', 'test']),
    );
  });

  it('meet the servers of the compose file', () => {
    const { eventstore, mongodb } = composed(SINGLE).services;
    expect(stores!.services!.eventstore).toMatchObject({
      image: eventstore!.image,
      env: eventstore!.environment,
    });
    const runs = stores!.steps.flatMap(({ run }) => run ?? []);
    expect(runs.join('\n')).toContain(` ${mongodb!.image} mongod --replSet rs0 `);
    expect(scriptsIn(runs)).toEqual(['test:stores', 'test:servers', 'test:recordings']);
  });
});

it('Renovate has rules for packages of this repository', () => {
  const { packageRules } = JSON.parse(documentText('renovate.json')) as {
    packageRules: readonly { readonly matchPackageNames?: readonly string[] }[];
  };
  const { dependencies, devDependencies } = JSON.parse(documentText('package.json')) as Record<
    string,
    object
  >;
  for (const each of packageRules.flatMap(({ matchPackageNames = [] }) => matchPackageNames))
    expect({ ...dependencies, ...devDependencies }).toHaveProperty([each]);
});

it('a release publishes with provenance', () => {
  const { jobs } = workflowOf('release.yml');
  for (const [name, { permissions }] of Object.entries(jobs))
    if (name !== 'verify') expect(permissions).toMatchObject({ 'id-token': 'write' });
  expect(runsOf({ jobs, permissions: {} }).join('\n')).toContain('npm publish ./sdk --provenance');
});
