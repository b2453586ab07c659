import { readdirSync, readFileSync } from 'node:fs';

const read = (file: string) => readFileSync(file, 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

/** Folder, ending of its files, most lines written by hand, and the files that name the version. */
const SDKS = [
  ['sdk/src', '.ts', 1_020, ['sdk/package.json']],
  [
    'sdks/python/remote_printing',
    '.py',
    700,
    ['sdks/python/pyproject.toml', 'sdks/python/remote_printing/_transport.py'],
  ],
  ['sdks/php/src', '.php', 700, ['sdks/php/src/Transport.php']],
  ['sdks/csharp', '.cs', 700, ['sdks/csharp/RemotePrinting.csproj', 'sdks/csharp/Transport.cs']],
] as const;

describe.each(SDKS)('the SDK in %s', (folder, ending, most, withVersion) => {
  it(`has at most ${most} lines that are not blank`, () => {
    const lines = readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .flatMap((name) => read(`${folder}/${name}`).split('\n'))
      .filter((line) => line.trim() !== '');
    expect(lines.length).toBeLessThanOrEqual(most);
  });

  it.each(withVersion)('has the version of the service in %s', (file) => {
    expect(read(file)).toContain(version);
  });

  it('has a description and the licence of the service', () => {
    const [root] = /^sdk(s\/\w+)?/.exec(folder)!;
    expect(read(`${root}/README.md`)).toMatch(/^# /);
    expect(read(`${root}/LICENSE`)).toBe(read('LICENSE'));
  });
});
