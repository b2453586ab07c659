import { pathToFileURL } from 'node:url';
import { documentText } from './markdown.js';

interface Shipped {
  shippedPackages(): readonly { readonly name: string; readonly version: string; readonly licence: string }[];
  licences(): string;
  billOfMaterials(): {
    readonly bomFormat: string;
    readonly metadata: { readonly component: { readonly version: string } };
    readonly components: readonly { readonly 'bom-ref': string; readonly hashes: readonly unknown[] }[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  };
}

/** Licences that allow to ship a package without its sources. A new one needs a look at its text. */
const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'],
  ...['OFL-1.1', 'Unlicense', 'WTFPL', 'Zlib'],
]);

describe('what is shipped', () => {
  let shipped: Shipped;
  beforeAll(async () => {
    shipped = (await import(pathToFileURL('bin/shipped.mjs').href)) as unknown as Shipped;
  });

  it('has the licences of the document: otherwise run `npm run licences`', () => {
    expect(documentText('docs/reference/licences.md')).toBe(shipped.licences());
  });

  it('may be shipped', () => {
    const isAllowed = (licence: string) =>
      licence.split(/[() ]+|\b(?:AND|OR|and)\b/).every((part) => part === '' || ALLOWED.has(part));
    expect(shipped.shippedPackages().filter(({ licence }) => !isAllowed(licence))).toEqual([]);
  });

  it('is the bill of materials, with a hash for each package', () => {
    const bill = shipped.billOfMaterials();
    const refs = bill.components.map((component) => component['bom-ref']);
    const names = new Set(refs.map((ref) => ref.slice(0, ref.lastIndexOf('@'))));

    expect(bill.bomFormat).toBe('CycloneDX');
    expect(documentText('package.json')).toContain(`"version": "${bill.metadata.component.version}"`);
    for (const name of ['fastify', 'better-sqlite3', 'react', '@scalar/fastify-api-reference'])
      expect([...names]).toContain(name);
    for (const name of ['jest', 'typescript', 'vite', 'playwright-core'])
      expect([...names]).not.toContain(name);
    expect(refs.toSorted()).toEqual(
      shipped
        .shippedPackages()
        .map(({ name, version }) => `${name}@${version}`)
        .toSorted(),
    );
    expect(bill.components.filter(({ hashes }) => hashes.length === 0)).toEqual([]);
    const known = new Set([...refs, bill.dependencies[0]!.ref]);
    for (const { dependsOn } of bill.dependencies)
      expect(dependsOn.filter((ref) => !known.has(ref))).toEqual([]);
  });
});
