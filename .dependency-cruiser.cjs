/**
 * Import rules (docs/architecture.md). Every `from` is anchored at the start of the path, and every rule has a
 * small tree in test/architecture/planted/<rule> that violates this rule only.
 */

const KERNEL = '^src/kernel/';
const ASYNC = '^src/async/';
const ENGINE = '^src/event-sourcing/';
/** All that other code may know of the engine. */
const DOOR = '^src/event-sourcing/index\\.ts$';
const PORTS = '^src/event-sourcing/ports/';
/** The two homes of the stores; each loads its drivers when it is opened. */
const WINGS = '^src/event-sourcing/(embedded|servers)/';
const EVENTS = '^src/contexts/[^/]+/domain/[^/]+\\.events\\.ts$';
/** The rules of each status for deciders, projections and presenters: pure functions. */
const RULES = '^src/contexts/[^/]+/domain/[^/]+\\.rules\\.ts$';
/** Ports of a context as abstract classes: work lists and directories, which projections implement. */
const CONTEXT_PORTS = '^src/contexts/[^/]+/ports\\.ts$';
/** A process names its commands without loading their handlers. */
const COMMANDS = '^src/contexts/[^/]+/(domain/)?[^/]+\\.commands?\\.ts$';
const INDEX = '^src/contexts/[^/]+/index\\.ts$';
const PACKAGE = '(^|/)node_modules/';
const DRIVER = '(^|/)node_modules/(better-sqlite3|mongodb|@eventstore/db-client)(/|$)';
const NEST_COMMANDS = '(^|/)node_modules/@nestjs/cqrs/';

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
    only('kernel-imports-nothing', 'Pure definitions: everything may build on them.', KERNEL, [
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
    only('async-knows-the-kernel', 'Retries, deadlines and loops serve every layer.', ASYNC, [
      ASYNC,
      KERNEL,
      '^(node:)?(events|timers/promises)$',
    ]),
    only('ports-know-the-kernel', 'A port uses types of the kernel, never of a store.', PORTS, [
      PORTS,
      KERNEL,
    ]),
    never(
      'engine-has-one-door',
      'src/event-sourcing/index.ts exports what the service uses of the engine.',
      { path: '^(src|projections|agent)/', pathNot: ENGINE },
      { path: ENGINE, pathNot: DOOR },
    ),
    only(
      'domain-is-pure',
      'Decisions use no framework, clock, store or other context.',
      '^src/contexts/([^/]+)/domain/',
      [KERNEL, '^src/contexts/$1/domain/'],
    ),
    never(
      'contexts-meet-at-their-index',
      'A context keeps to itself what its index does not export.',
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
      'Further allowed: events, rules and ports for projections, events and commands for processes, modules for app.module.ts.',
      {
        path: '^(src|projections)/',
        pathNot: ['^src/contexts/', '^src/processes/', '^src/app/app\\.module\\.ts$'],
      },
      { path: '^src/contexts/[^/]+/', pathNot: [INDEX, EVENTS, RULES, CONTEXT_PORTS] },
    ),
    never(
      'events-are-read-by-projections-and-processes',
      'All other code uses queries and commands.',
      { path: '^src/', pathNot: '^src/(contexts|processes)/' },
      { path: EVENTS },
    ),
    never(
      'contexts-do-not-look-outward',
      'Surfaces and processes use contexts, never the reverse.',
      { path: '^src/contexts/' },
      {
        path: '^src/(api|http|cli|processes|app|operations|main\\.ts|config\\.ts)',
      },
    ),
    only(
      'projections-read-events',
      'A view folds events, applies the rules and implements ports of contexts; its queries may cache.',
      '^projections/',
      [
        '^projections/',
        KERNEL,
        DOOR,
        EVENTS,
        RULES,
        CONTEXT_PORTS,
        '(^|/)node_modules/(@nestjs/common|lru-cache)/',
      ],
    ),
    never(
      'folds-are-pure',
      'Replayed code depends on events only: no store, no framework.',
      { path: '^(src|projections)/.+\\.projection\\.ts$' },
      { path: [PORTS, DOOR, PACKAGE, '\\.queries\\.ts$'] },
    ),
    only(
      'evidence-knows-the-engine',
      'The evidence log reads any event of any context as text, and none of their code.',
      '^src/evidence/',
      [
        '^src/evidence/',
        KERNEL,
        ASYNC,
        DOOR,
        '^(node:)?(crypto|timers/promises)$',
        '(^|/)node_modules/(@nestjs/common|lru-cache)/',
      ],
    ),
    never(
      'evidence-thread-loads-no-engine',
      'A thread of its own builds the log. With the door it would load Nest: 40 MB, and a second of CPU at each start.',
      { path: '^src/evidence/', pathNot: '^src/evidence/(exports|published-log)\\.ts$' },
      { path: DOOR, dependencyTypesNot: ['type-only'] },
    ),
    only('processes-react-to-events', 'A process receives events and sends commands.', '^src/processes/', [
      '^src/processes/',
      KERNEL,
      EVENTS,
      COMMANDS,
    ]),
    never(
      'surfaces-do-not-meet',
      'Shared resources are in src/api/resources, all errors in src/api/errors, which import no surface; other shared code is in src/http or directly in src/api.',
      { path: '^src/api/([^/]+)/' },
      { path: '^src/api/[^/]+/', pathNot: ['^src/api/$1/', '^src/api/(resources|errors)/'] },
    ),
    never(
      'http-knows-no-surface',
      'The HTTP layer serves any surface, context and view, without the engine; src/app passes the surfaces to it.',
      { path: '^src/http/' },
      { path: ['^src/(api|contexts|processes|event-sourcing|operations|app|cli)/', '^projections/'] },
    ),
    never(
      'surfaces-ask-queries',
      'A surface uses commands and queries, not folds and processes; a webhook payload is folded from the events.',
      { path: '^src/(api|http)/', pathNot: '^src/api/resources/projected-payloads\\.ts$' },
      { path: ['\\.projection\\.ts$', '^src/processes/'] },
    ),
    never(
      'drivers-are-known-to-the-wings',
      'Stores are accessed in two folders only.',
      { path: '^(src|projections|agent)/', pathNot: WINGS },
      { path: DRIVER },
    ),
    never(
      'wings-do-not-meet',
      'What both homes need is in the ports or the projection engine.',
      { path: WINGS },
      { path: WINGS, pathNot: '^src/event-sourcing/$1/' },
    ),
    never(
      'engine-is-generic',
      'It runs any decider, projection and process; src/app selects them.',
      { path: ENGINE },
      {
        path: [
          '^src/(api|http|contexts|processes|operations|app|cli|main\\.ts|config\\.ts)',
          '^projections/',
        ],
      },
    ),
    never(
      'cli-is-a-client',
      'rps uses the service over HTTP only.',
      { path: '^src/cli/' },
      { path: '^(src|projections)/', pathNot: '^src/cli/' },
    ),
    never(
      'service-does-not-know-its-client',
      'The command line is a separate program.',
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
      'The service works with any Agent that implements the protocol.',
      { path: '^(src|projections)/' },
      { path: '^agent/' },
    ),
    only(
      'panel-knows-http-only',
      'The pages could live in another repository; they share the types of the answers with the SDK.',
      '^panel/',
      [
        '^panel/',
        '^sdk/src/generated/',
        '(^|/)node_modules/(react|react-dom|@types/react|@types/react-dom|@tanstack/react-query|@tanstack/react-table|@base-ui/react|@visx/[a-z]+|lucide-react|wouter|vite)(/|$)',
      ],
    ),
    never(
      'service-does-not-know-the-panel',
      'The service serves the built files, whatever is in them.',
      { path: '^(src|projections|agent|sdk)/' },
      { path: '^panel/' },
    ),
    only('sdk-stands-alone', 'It is published without the service and needs no package.', '^sdk/src/', [
      '^sdk/src/',
    ]),
    only('mcp-knows-the-sdk-only', 'It is a client like any other, bundled with its packages.', '^mcp/', [
      '^mcp/',
      '^sdk/src/',
      '(^|/)node_modules/(@modelcontextprotocol/sdk|zod|dotenv)(/|$)',
      '^(node:)?(buffer|crypto|fs/promises|path|util)$',
    ]),
    never(
      'tools-are-loaded-when-asked',
      'Their packages are for development, and most starts never need them: an import at the first call goes to a chunk of its own.',
      { path: '^(src|projections|agent)/' },
      { path: '^mcp/', dynamic: false },
    ),
    never(
      'service-does-not-know-the-sdk',
      'The demonstration and tests use it as any client does.',
      { path: '^(src|projections|agent)/' },
      { path: '^sdk/' },
    ),
    never(
      'verifier-stands-alone',
      'An auditor copies one file and needs nothing of the service.',
      { path: '^verifier/' },
      { pathNot: '^verifier/', dependencyTypesNot: ['core'] },
    ),
    never(
      'service-does-not-know-the-verifier',
      'What checks the service is written from the format alone and shares nothing with it.',
      { path: '^(src|projections|agent|panel|sdk)/' },
      { path: '^verifier/' },
    ),
    never(
      'product-stands-without-its-tests',
      'Shipped code imports neither tests nor benchmarks nor the demonstration.',
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
      'Merge files that import each other.',
      { path: '^(src|projections|agent|mcp|panel|sdk)/' },
      { circular: true },
    ),
    {
      ...never(
        'no-folder-cycles',
        'Merge folders that import each other.',
        { path: '^(src|projections|agent)' },
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
