/**
 * Import rules (docs/architecture.md). Every `from` is anchored at the start of the path, and every rule has a
 * small tree in test/architecture/planted/<rule> that violates this rule only.
 */

const KERNEL = '^src/kernel/';
const PORTS = '^src/ports/';
const EVENTS = '^src/contexts/[^/]+/domain/[^/]+\\.events\\.ts$';
/** The rules of each status for deciders, projections and presenters: pure functions. */
const RULES = '^src/contexts/[^/]+/domain/[^/]+\\.rules\\.ts$';
/** What a context asks from outside, as abstract classes: work lists and directories, which projections implement. */
const CONTEXT_PORTS = '^src/contexts/[^/]+/ports\\.ts$';
/** A process names the commands it sends without loading what handles them. */
const COMMANDS = '^src/contexts/[^/]+/(domain/)?[^/]+\\.commands?\\.ts$';
const INDEX = '^src/contexts/[^/]+/index\\.ts$';
const PACKAGE = '(^|/)node_modules/';
const DRIVER = '(^|/)node_modules/(better-sqlite3|mongodb|@eventstore/db-client)(/|$)';
const NEST_COMMANDS = '(^|/)node_modules/@nestjs/cqrs/';
/** Wires, starts, stops and inspects the program. */
const APP = '^src/app/';

/** The modules matched by `from` may import only the listed modules (including Node's own). */
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
});

/** The modules matched by `from` may not import what matches `to`. */
const never = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from,
  to,
});

module.exports = {
  forbidden: [
    only('kernel-imports-nothing', 'Pure words: everything may build on them.', KERNEL, [
      KERNEL,
      '^(node:)?(crypto|zlib)$',
      NEST_COMMANDS,
    ]),
    never(
      'kernel-loads-no-nest',
      "Commands have the type of Nest's Command; deciders and the writer thread run without Nest.",
      { path: KERNEL },
      { path: NEST_COMMANDS, dependencyTypesNot: ['type-only'] },
    ),
    only('ports-know-the-kernel', 'A port speaks the language of the kernel and of no adapter.', PORTS, [
      PORTS,
      KERNEL,
    ]),
    only(
      'domain-is-pure',
      'Deciding needs no framework, no clock, no store, and no other context.',
      '^src/contexts/([^/]+)/domain/',
      [KERNEL, '^src/contexts/$1/domain/'],
    ),
    never(
      'contexts-meet-at-their-index',
      'What a context does not export is its own.',
      { path: '^src/contexts/([^/]+)/' },
      { path: '^src/contexts/[^/]+/', pathNot: ['^src/contexts/$1/', INDEX] },
    ),
    never(
      'contexts-import-no-projections',
      'Facts for a decision come from aggregates, work lists through the ports of the context.',
      { path: '^src/contexts/' },
      { path: '^projections/' },
    ),
    never(
      'outsiders-use-a-contexts-index',
      'Projections may also name events, rules and ports, processes what they react to and send, app.module.ts modules.',
      {
        path: '^(src|projections)/',
        pathNot: ['^src/contexts/', '^src/processes/', '^src/app/app\\.module\\.ts$'],
      },
      { path: '^src/contexts/[^/]+/', pathNot: [INDEX, EVENTS, RULES, CONTEXT_PORTS] },
    ),
    never(
      'events-are-read-by-projections-and-processes',
      'Everybody else asks a query or sends a command.',
      { path: '^src/', pathNot: '^src/(contexts|processes)/' },
      { path: EVENTS },
    ),
    never(
      'contexts-do-not-look-outward',
      'A context is used by surfaces and processes; it knows neither, nor what stores its events.',
      { path: '^src/contexts/' },
      {
        path: '^src/(api|http|adapters|cli|processes|app|main\\.ts|config\\.ts)',
      },
    ),
    only(
      'projections-read-events',
      'A view is made of events, shows what the rules allow, and answers what a port of a context asks.',
      '^projections/',
      ['^projections/', KERNEL, PORTS, EVENTS, RULES, CONTEXT_PORTS, '(^|/)node_modules/@nestjs/common/'],
    ),
    never(
      'folds-are-pure',
      'What is replayed depends on events alone: no store, no framework.',
      { path: '^(src|projections)/.+\\.projection\\.ts$' },
      { path: [PORTS, PACKAGE, '\\.queries\\.ts$'] },
    ),
    only('processes-react-to-events', 'Kernel words, events in, commands out.', '^src/processes/', [
      '^src/processes/',
      KERNEL,
      EVENTS,
      COMMANDS,
    ]),
    never(
      'surfaces-do-not-meet',
      'Resources that several of them show are in src/api/resources, which knows no surface; the rest is in src/http or directly in src/api.',
      { path: '^src/api/([^/]+)/' },
      { path: '^src/api/[^/]+/', pathNot: ['^src/api/$1/', '^src/api/resources/'] },
    ),
    never(
      'http-knows-no-surface',
      'The HTTP machinery serves any surface, context and view; src/app hands it the surfaces.',
      { path: '^src/http/' },
      { path: ['^src/(api|contexts|processes|adapters|app|cli)/', '^projections/'] },
    ),
    never(
      'surfaces-ask-queries',
      'A surface sends commands and asks queries; how views are folded and timers react is not its business.',
      { path: '^src/(api|http)/' },
      { path: ['\\.projection\\.ts$', '^src/processes/'] },
    ),
    never(
      'drivers-are-known-to-adapters',
      'The stores can be changed in one folder.',
      { path: '^(src|projections|agent)/', pathNot: '^src/adapters/' },
      { path: DRIVER },
    ),
    never(
      'adapters-are-chosen-in-one-place',
      'Everybody else asks for the port.',
      { path: '^(src|projections|agent)/', pathNot: ['^src/adapters/', APP] },
      { path: '^src/adapters/' },
    ),
    never(
      'adapters-know-no-surface',
      'An adapter stores, sends or measures; it neither speaks HTTP to clients nor reads the environment.',
      { path: '^src/adapters/' },
      { path: '^src/(api|http|cli|app|main\\.ts|config\\.ts)' },
    ),
    never(
      'event-sourcing-is-generic',
      'It runs any decider, projection and process; src/app says which ones.',
      { path: '^src/(event-sourcing|cluster)/' },
      { path: ['^src/(api|http|contexts|processes|app)/', '^projections/'] },
    ),
    never(
      'cli-is-a-client',
      'rps knows the service through HTTP.',
      { path: '^src/cli/' },
      { path: '^(src|projections)/', pathNot: '^src/cli/' },
    ),
    never(
      'service-does-not-know-its-client',
      'The command line is a program of its own.',
      { path: '^(src|projections)/', pathNot: '^src/cli/' },
      { path: '^src/cli/' },
    ),
    never(
      'agent-knows-http-only',
      'The reference Agent could live in another repository.',
      { path: '^agent/' },
      { path: '^(src|projections)/' },
    ),
    never(
      'service-does-not-know-the-agent',
      'Any Agent that speaks the protocol will do.',
      { path: '^(src|projections)/' },
      { path: '^agent/' },
    ),
    never(
      'product-stands-without-its-tests',
      'What is shipped needs neither tests nor benchmarks nor the demonstration.',
      { path: '^(src|projections|agent)/' },
      { path: '^(test|bench|demo)/' },
    ),
    never(
      'product-needs-no-development-package',
      'npm ci --omit=dev is enough to run.',
      { path: '^(src|projections|agent)/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    ),
    never(
      'no-cycles',
      'Two files that need each other are one.',
      { path: '^(src|projections|agent)/' },
      { circular: true },
    ),
    {
      ...never(
        'no-folder-cycles',
        'Folders that need each other are one.',
        { path: '^(src/(?!http)|projections|agent)' },
        { circular: true },
      ),
      scope: 'folder',
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.spec\\.ts$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
