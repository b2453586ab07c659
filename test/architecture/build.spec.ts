import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Build {
  removeOrphans(folder: string): void;
}

describe('the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rps-build-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('removes from dist what was compiled from a source that is gone', async () => {
    const { removeOrphans } = (await import(pathToFileURL('bin/build.mjs').href)) as Build;
    for (const name of ['src', 'dist/src']) mkdirSync(join(folder, name), { recursive: true });
    const compiled = ['kept.js', 'kept.js.map', 'gone.js', 'gone.js.map'].map((name) => `dist/src/${name}`);
    for (const name of ['src/kept.ts', 'dist/bundle.js', ...compiled]) writeFileSync(join(folder, name), '');
    removeOrphans(folder);

    const left = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(left.sort()).toEqual(['bundle.js', 'src', 'src/kept.js', 'src/kept.js.map']);
  });
});
