import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programFile } from './program-file.js';

describe('choosing the file of the program', () => {
  let dist: string;
  beforeEach(() => {
    dist = mkdtempSync(join(tmpdir(), 'rps-dist-'));
    mkdirSync(join(dist, 'service'));
  });
  afterEach(() => rmSync(dist, { recursive: true }));

  const written = (file: string, seconds: number) => {
    writeFileSync(join(dist, file), '');
    utimesSync(join(dist, file), seconds, seconds);
  };
  const chosen = () => {
    const folder = pathToFileURL(`${dist}/`);
    return programFile(folder).href.slice(folder.href.length);
  };

  it('takes the bundle that was made after the modules were compiled', () => {
    written('.tsbuildinfo', 1_000);
    written('service/program.js', 1_001);
    expect(chosen()).toBe('service/program.js');
  });

  it('takes the modules that were compiled after the bundle was made', () => {
    written('.tsbuildinfo', 1_001);
    written('service/program.js', 1_000);
    expect(chosen()).toBe('src/app/program.js');
  });

  it('takes the bundle of an image that ships without the state of the compiler', () => {
    written('service/program.js', 1_000);
    expect(chosen()).toBe('service/program.js');
  });

  it('takes the modules if there is no bundle', () => {
    expect(chosen()).toBe('src/app/program.js');
  });
});
