import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { shippedPackages } from './shipped.mjs';

// node bin/bundle.mjs: joins the compiled service and its packages in dist/service (docs/decisions/070-one-bundle.md), and those
// of `rps` and of `rps mcp` in one file each. The tools of `/v1/mcp` are a chunk of the service, loaded at their first call.
const root = fileURLToPath(new URL('..', import.meta.url));
const target = path.join(root, 'dist/service');
const compiled = (name) => path.join(root, 'dist/src', `${name}.js`);
const rxjs = (name) => path.join(root, 'node_modules/rxjs/dist/esm', name);

/** The program, and the modules that the thread of the writer loads. */
const entries = {
  program: compiled('app/program'),
  'writer-thread': compiled('event-sourcing/embedded/writer-thread'),
  'configured-projections': compiled('app/configured-projections'),
};

/** Stay in node_modules: a native module, threads, and packages that most starts never load. */
const apart = [
  ...['better-sqlite3', 'piscina', 'undici', 'mongodb', '@eventstore/db-client', '@grpc/grpc-js'],
  ...['pdf-lib', 'pino-pretty', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
  ...['light-my-request', 'rotating-file-stream', 'dataloader'],
];
/** Nest imports these for features that the service does not use. */
const unusedByNest = [
  ...['class-validator', 'class-transformer', '@nestjs/microservices', '@nestjs/websockets'],
  ...['@nestjs/platform-express', '@fastify/static', '@fastify/view', '@fastify/multipart'],
];
/** Loaded if a collector is configured. What prom-client needs of the API is in the bundle all the same. */
const ofTraces = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/exporter-trace-otlp-http',
];
const isTracing = (file) => /[\\/]operations[\\/]tracing[\\/]/.test(file);
const isNest = (file) => /[\\/]node_modules[\\/]@nestjs[\\/]/.test(file);
const isOf = (names, id) => names.some((name) => id === name || id.startsWith(`${name}/`));

const entryUrl = `new URL\\('\\./(?:${Object.keys(entries).join('|')})\\.js', import\\.meta\\.url\\)`;
const urlOrEntryUrl = new RegExp(`(${entryUrl})|import\\.meta\\.url`, 'g');

/** `import.meta.url` stays the address of the compiled module, except where it finds an entry of the bundle. */
const addressesOfModules = {
  name: 'addresses-of-modules',
  transform(code, id) {
    if (!id.startsWith(path.join(root, 'dist')) || !code.includes('import.meta.url')) return null;
    const file = path.relative(target, id).replaceAll(path.sep, '/');
    return code.replace(urlOrEntryUrl, (_, entry) => entry ?? `new URL('${file}', import.meta.url).href`);
  },
};

/** Their errors matter even where their results are unused. Rolldown removes such a call unless it is a property. */
const throwing = ['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent'];
const define = Object.fromEntries(throwing.map((name) => [name, `globalThis.${name}`]));

rmSync(target, { recursive: true, force: true });
const build = await rolldown({
  input: entries,
  platform: 'node',
  external: (id, importer = '') =>
    isOf(apart, id) ||
    (isNest(importer) && isOf(unusedByNest, id)) ||
    (isTracing(importer) && isOf(ofTraces, id)),
  resolve: {
    mainFields: ['es2015', 'module', 'main'], // The modules of class-validator are ES5, which is slower.
    // For Node, rxjs exports CommonJS, of which no unused part can be left out.
    alias: {
      'rxjs/operators': rxjs('operators/index.js'),
      rxjs: rxjs('index.js'),
    },
  },
  transform: { define },
  plugins: [addressesOfModules],
  logLevel: 'warn',
});
const service = await build.write({
  dir: target,
  format: 'esm',
  keepNames: true,
  charset: 'ascii', // V8 stores a source with a single wider character in two bytes per character.
  comments: false,
  chunkFileNames: '[name].js',
});
await build.close();

/** Joins a program of its own and its packages in one file. */
async function joinProgram(input, file) {
  const joining = await rolldown({ input: path.join(root, input), platform: 'node', logLevel: 'warn' });
  const options = { format: 'esm', keepNames: true, comments: false };
  const { output } = await joining.write({ file: path.join(root, file), ...options });
  await joining.close();
  return output;
}

const programs = [
  await joinProgram('dist/src/cli/main.js', 'dist/cli/rps.js'),
  await joinProgram('dist/mcp/main.js', 'dist/mcp/program.js'),
];
const packageOf = (id) => /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1].replace('\\', '/');
const listed = new Set(shippedPackages().map(({ name }) => name));
const joined = new Set(
  [service.output, ...programs].flat().flatMap(({ moduleIds = [] }) => moduleIds.map(packageOf)),
);
const unlisted = [...joined].filter((name) => name && !listed.has(name));
if (unlisted.length > 0) throw new Error(`name in bin/shipped.mjs what is shipped: ${unlisted.join(', ')}`);
