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
  readonly needs?: string;
  readonly uses?: string;
  readonly steps?: readonly Step[];
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
const commandsOf = ({ steps = [] }: Job) => steps.flatMap(({ run }) => run ?? []);
const runsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(commandsOf);
const actionsOf = ({ steps = [] }: Job) => steps.flatMap(({ uses }) => uses ?? []);
/** Scripts of package.json that commands name: `npm run X`, `npm test`. */
const scriptsIn = (runs: readonly string[]) =>
  runs.flatMap((run) =>
    [...run.matchAll(/\bnpm (?:run ([\w:]+)|(test))/g)].map(([, one, two]) => one ?? two!),
  );

describe.each(names)('the workflow %s', (name) => {
  const workflow = workflowOf(name);

  it('names scripts that exist', () => {
    const named = scriptsIn(runsOf(workflow));
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('may only read, but for jobs that say more', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const { permissions } of Object.values(workflow.jobs))
      expect(permissions?.contents ?? 'read').toBe('read');
  });

  it('names the commit of each action, because tags and branches move', () => {
    const used = Object.values(workflow.jobs).flatMap(actionsOf);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });
});

describe('the checks of every change', () => {
  const { test, stores } = workflowOf('check.yml').jobs;

  it('run on each supported version of Node', () => {
    const { node } = test!.strategy!.matrix;
    expect(node).toEqual([20, 22, 24]);
    expect(engines.node).toMatch(new RegExp(`^>=${node[0]}\\.`));
    expect(documentText('Dockerfile')).toContain(`FROM node:${node.at(-1)}-`);
    expect(scriptsIn(commandsOf(test!))).toEqual(expect.arrayContaining(['check', 'test']));
  });

  it('test the clients in all languages', () => {
    const commands = commandsOf(test!).join('\n');
    expect(commands).toContain('dotnet --version && npm run test:chaos -- test/chaos/clients');
    expect(commands).toMatch(/apt-get install [^]* php-cli php-curl python3/);
  });

  it('meet the servers of the compose file', () => {
    const { eventstore, mongodb } = composed(SINGLE).services;
    expect(stores!.services!.eventstore).toMatchObject({
      image: eventstore!.image,
      env: eventstore!.environment,
    });
    const runs = commandsOf(stores!);
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

describe('a release', () => {
  const release = workflowOf('release.yml');
  const signing = Object.entries(release.jobs).filter(([, { permissions }]) => permissions?.['id-token']);

  it('begins with all checks of a change', () => {
    const { verify, build, ...publishing } = release.jobs;
    expect(verify!.uses).toBe('./.github/workflows/check.yml');
    expect(build!.needs).toBe('verify');
    expect(Object.values(publishing).map(({ needs }) => needs)).toEqual(['build', 'build', 'build', 'build']);
  });

  it('publishes packages with provenance', () => {
    expect(signing.map(([name]) => name)).toEqual(['npm', 'pypi', 'nuget']);
    expect(runsOf(release).join('\n')).toMatch(/npm publish \S+\.tgz --provenance/);
  });

  it.each(signing)('gives no code of the repository or a package the rights of %s', (_, job) => {
    expect(actionsOf(job).filter((action) => action.startsWith('actions/checkout@'))).toEqual([]);
    for (const run of commandsOf(job)) expect(run).toMatch(/^(npm publish \.|dotnet nuget push )/);
  });

  it('moves the latest version only if it is no preview', () => {
    const moves = documentText(`${FOLDER}/release.yml`)
      .split('\n')
      .filter((line) => /^[^#]*\blatest\b/.test(line));
    expect(moves).toHaveLength(2);
    for (const line of moves) expect(line).toContain("contains(github.ref_name, '-')");
  });
});
