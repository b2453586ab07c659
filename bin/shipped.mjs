import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// node bin/shipped.mjs licences: writes docs/reference/licences.md from the lock file.
// node bin/shipped.mjs sbom [FILE]: writes a bill of materials (CycloneDX) of what is shipped.

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const { packages } = JSON.parse(read('package-lock.json'));

/** The reader of `GET /v1/docs` is one file of it. */
const READER = '@scalar/fastify-api-reference';
/** Development packages of which the bundles have parts, for the tools of assistants; the build refuses others. */
const IN_MCP = [
  ...['@modelcontextprotocol/sdk', 'ajv', 'ajv-formats', 'content-type', 'fast-deep-equal'],
  ...['json-schema-traverse', 'zod', 'zod-to-json-schema'],
];
const IMPORTED = /(?:from|import) '((?:@[^/']+\/)?[^@./'][^/']*)/g;

/** Packages of the pages: what the panel imports, with what that needs. */
function ofPages() {
  const sources = readdirSync(path.join(root, 'panel'), { recursive: true }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.spec\.tsx?$/.test(name),
  );
  const names = sources.flatMap((name) => [...read(`panel/${name}`).matchAll(IMPORTED)].map(([, it]) => it));
  const found = new Set([`node_modules/${READER}`]);
  const visit = (name, from) => {
    const place = placeOf(name, from);
    if (place === undefined || found.has(place)) return;
    found.add(place);
    for (const needed of Object.keys(packages[place].dependencies ?? {})) visit(needed, place);
  };
  for (const name of new Set(names)) visit(name, '');
  return found;
}

/** Where the package `from` finds another one. */
function placeOf(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at && `${at}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (at === '') return undefined;
  }
}

/** Packages of the service, its pages, the tools (MCP) and the Agent: `{ name, version, licence, part }`, sorted. */
export function shippedPackages() {
  const pages = ofPages();
  const tools = new Set(IN_MCP.map((name) => `node_modules/${name}`));
  const partOf = (place, { dev, devOptional }) => {
    if (!dev && !devOptional) return 'service, Agent';
    if (pages.has(place)) return 'pages';
    return tools.has(place) ? 'tools (MCP)' : undefined;
  };
  const rows = Object.entries(packages)
    .filter(([place, row]) => place !== '' && partOf(place, row) !== undefined)
    .map(([place, { version, license, ...row }]) => ({
      name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license ?? 'unknown',
      part: partOf(place, row),
    }));
  const unique = new Map(rows.map((row) => [`${row.name}@${row.version}`, row]));
  return [...unique.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Text of docs/reference/licences.md. */
export function licences() {
  const rows = shippedPackages();
  return `# Licences

Written by \`npm run licences\` from the lock file: the packages in the image, in the pages of the panel, in the tools of assistants (MCP) and in the packages of the Agent. What only builds and tests use is left out. The packages of the Agent and the image also hold Node.js (MIT, with the notices of its parts).

| Package | Version | Licence | In |
|---|---|---|---|
${rows.map(({ name, version, licence, part }) => `| ${name} | ${version} | ${licence} | ${part} |`).join('\n')}
`;
}

/** A bill of materials of npm without what is not shipped. */
export function billOfMaterials() {
  const command = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const whole = JSON.parse(execFileSync('npm', command, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }));
  const shipped = new Set(shippedPackages().map(({ name, version }) => `${name}@${version}`));
  const own = whole.metadata.component['bom-ref'];
  const isShipped = (ref) => ref === own || shipped.has(ref);
  return {
    ...whole,
    // npm calls packages of the pages optional, because it does not install them with the service.
    components: whole.components
      .filter((component) => isShipped(component['bom-ref']))
      .map((component) => ({ ...component, scope: undefined, properties: undefined })),
    dependencies: whole.dependencies
      .filter(({ ref }) => isShipped(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [what, file = path.join(root, 'sbom.cdx.json')] = process.argv.slice(2);
  if (what === 'licences') writeFileSync(path.join(root, 'docs/reference/licences.md'), licences());
  else writeFileSync(file, `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
}
